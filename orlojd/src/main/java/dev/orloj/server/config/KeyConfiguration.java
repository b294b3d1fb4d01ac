package dev.orloj.server.config;

import dev.orloj.api.codec.Scheme;
import dev.orloj.server.properties.InvalidConfigurationException;
import dev.orloj.server.store.ToolCallTable;
import dev.orloj.server.store.key.KeyRotation;
import dev.orloj.server.store.key.KeySource;
import dev.orloj.server.store.key.SealedColumn;
import dev.orloj.server.store.key.SealedDocuments;
import dev.orloj.server.store.key.StoredKeys;
import dev.orloj.server.store.table.SecretCipher;
import dev.orloj.server.store.token.SigningKeyTable;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import javax.sql.DataSource;

/** Wires the keys that values in the database are encrypted with. */
@Configuration(proxyBeanMethods = false)
class KeyConfiguration {

    @Bean
    KeySource keySource(Environment environment, DataDirectory dataDirectory) {
        return source(environment, dataDirectory.path());
    }

    /**
     * Returns where the key comes from that protects those of the database.
     *
     * @throws InvalidConfigurationException when two places are configured
     */
    static KeySource source(Environment environment, Path dataDirectory) {
        try {
            return KeySource.of(
                    Binder.get(environment)
                            .bind("orloj.secrets.pkcs11", Bindable.listOf(String.class))
                            .orElse(List.of()),
                    environment.getProperty("orloj.secrets.key-file", ""),
                    environment.getProperty("orloj.secrets.key", ""),
                    environment.getProperty("CREDENTIALS_DIRECTORY", ""),
                    dataDirectory);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationException(String.valueOf(e.getMessage()), e);
        }
    }

    @Bean
    @DependsOnDatabaseInitialization
    StoredKeys storedKeys(DataSource pool, KeySource source) throws IOException {
        return StoredKeys.open(pool, source);
    }

    @Bean
    SecretCipher secretCipher(StoredKeys keys) {
        return new SecretCipher(keys);
    }

    @Bean(initMethod = "start", destroyMethod = "close")
    KeyRotation keyRotation(DataSource pool, StoredKeys keys, SecretCipher cipher, Scheme scheme) {
        return new KeyRotation(
                pool,
                keys,
                List.of(
                        new SealedDocuments(pool, cipher, scheme),
                        new SealedColumn(pool, cipher, "tool_call", "answer", ToolCallTable::place),
                        new SealedColumn(
                                pool, cipher, "signing_key", "sealed", SigningKeyTable::place)));
    }
}
