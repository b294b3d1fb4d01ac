package dev.orloj.server.properties;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

import java.nio.file.Path;

/**
 * Settings of the encryption of Secrets at rest.
 *
 * @param keyFile holds keys of 32 bytes in base64; null for a generated key in the data directory
 * @param key such keys themselves, of an environment variable; null for a file
 */
@ConfigurationProperties("orloj.secrets")
public record SecretProperties(@Nullable Path keyFile, @Nullable String key) {

    @Override
    public String toString() {
        return "SecretProperties[keyFile=" + keyFile + "]";
    }
}
