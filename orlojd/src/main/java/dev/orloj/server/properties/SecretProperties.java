package dev.orloj.server.properties;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

import java.nio.file.Path;

/**
 * How Secrets are encrypted at rest.
 *
 * @param keyFile holds 32 bytes in base64; null for a key of its own in the data directory
 */
@ConfigurationProperties("orloj.secrets")
public record SecretProperties(@Nullable Path keyFile) {

    /** The key in the data directory. */
    public static final String FILE = "secret.key";
}
