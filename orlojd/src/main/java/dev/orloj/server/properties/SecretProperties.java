package dev.orloj.server.properties;

import dev.orloj.controllers.secret.SecretFolder;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Settings of the encryption of Secrets at rest, and of Secrets in files.
 *
 * @param keyFile holds keys of 32 bytes in base64; null for a generated key in the data directory
 * @param key such keys themselves, of an environment variable; null for a file
 * @param pkcs11 URIs of keys in hardware security modules, the one for new wraps first
 * @param directory folders with Secrets as files, or NAMESPACE=FOLDER for those of one namespace
 * @param directoryInterval how often these folders are read
 */
@ConfigurationProperties("orloj.secrets")
public record SecretProperties(
        @Nullable Path keyFile,
        @Nullable String key,
        @DefaultValue List<String> pkcs11,
        @DefaultValue List<String> directory,
        @DefaultValue("10s") Duration directoryInterval) {

    private static final String NAMESPACE = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";
    private static final int MAX_FOLDERS = 100;
    private static final Duration LEAST = Duration.ofSeconds(1);
    private static final Duration MOST = Duration.ofHours(1);

    public SecretProperties {
        pkcs11 = List.copyOf(pkcs11);
        directory = List.copyOf(directory);
        if (directory.size() > MAX_FOLDERS) {
            throw new IllegalArgumentException(
                    "orloj.secrets.directory has %d folders; give at most %d"
                            .formatted(directory.size(), MAX_FOLDERS));
        }
        if (directoryInterval.compareTo(LEAST) < 0 || directoryInterval.compareTo(MOST) > 0) {
            throw new IllegalArgumentException(
                    "orloj.secrets.directory-interval is %s; give 1s to 1h"
                            .formatted(directoryInterval));
        }
        SecretFolder.requireApart(directory.stream().map(SecretProperties::folder).toList());
    }

    /** Returns the folders with Secrets. */
    public List<SecretFolder> folders() {
        return directory.stream().map(SecretProperties::folder).toList();
    }

    private static SecretFolder folder(String text) {
        int equals = text.indexOf('=');
        String namespace = equals < 0 || text.startsWith("/") ? "" : text.substring(0, equals);
        String path = namespace.isEmpty() ? text : text.substring(equals + 1);
        if (!Path.of(path).isAbsolute() || !namespace.matches("|" + NAMESPACE)) {
            throw new IllegalArgumentException(
                    "orloj.secrets.directory (--secret-dir) \"%s\": give an absolute path, or NAMESPACE= and one"
                            .formatted(text));
        }
        return new SecretFolder(namespace, Path.of(path));
    }

    @Override
    public String toString() {
        return "SecretProperties[keyFile=" + keyFile + "]";
    }
}
