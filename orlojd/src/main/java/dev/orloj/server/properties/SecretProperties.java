package dev.orloj.server.properties;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

import java.nio.file.Path;

/**
 * Settings of the encryption of Secrets at rest.
 *
 * @param keyFile holds 32 bytes in base64; null for a generated key in the data directory
 */
@ConfigurationProperties("orloj.secrets")
public record SecretProperties(@Nullable Path keyFile) {

    /** The name of the key file in the data directory. */
    public static final String FILE = "secret.key";
}
