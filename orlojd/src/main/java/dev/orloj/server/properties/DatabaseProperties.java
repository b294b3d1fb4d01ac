package dev.orloj.server.properties;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Settings of the PostgreSQL connection.
 *
 * @param url JDBC URL; null for the embedded PostgreSQL
 * @param user null when the URL contains it
 * @param passwordFile null when the URL contains the password, or there is none
 * @param connections maximum size of the pool
 * @param socketTimeout how long a request waits for data from the database; zero for no limit
 */
@ConfigurationProperties("orloj.database")
public record DatabaseProperties(
        @Nullable String url,
        @Nullable String user,
        @Nullable Path passwordFile,
        @DefaultValue("16") int connections,
        @DefaultValue("1m") Duration socketTimeout) {

    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(1);

    public DatabaseProperties {
        if (connections < 2) {
            throw new IllegalArgumentException(
                    "orloj.database.connections is %d; give at least 2".formatted(connections));
        }
        boolean isInRange =
                socketTimeout.compareTo(SHORTEST) >= 0 && socketTimeout.compareTo(LONGEST) <= 0;
        if (!socketTimeout.isZero() && !isInRange) {
            throw new IllegalArgumentException(
                    "orloj.database.socket-timeout is %s; give 1s to 1d, or 0 to wait for ever"
                            .formatted(socketTimeout));
        }
    }

    public boolean isEmbedded() {
        return url == null || url.isBlank();
    }

    /** Returns the content of the password file without the line end; null when there is none. */
    public @Nullable String password() {
        if (passwordFile == null) {
            return null;
        }
        try {
            return Files.readString(passwordFile).stripTrailing();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "orloj.database.password-file \"%s\" cannot be read".formatted(passwordFile),
                    e);
        }
    }
}
