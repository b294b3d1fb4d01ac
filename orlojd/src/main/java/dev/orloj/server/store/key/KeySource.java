package dev.orloj.server.store.key;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Where the keys come from that wrap those of the database. Thread-safe. */
public interface KeySource {

    /**
     * Reads the keys as they are now: first the one for new wraps, then earlier ones. Empty when
     * there is none yet.
     *
     * @throws IOException when they cannot be read
     * @throws IllegalArgumentException when what is there is no key; the message shows nothing of
     *     it
     */
    List<KeyEncryptionKey> load() throws IOException;

    /**
     * Makes the first key, for a database without keys.
     *
     * @throws IOException when it cannot be stored
     */
    KeyEncryptionKey create() throws IOException;

    /** Returns the file that servers must not read; null for none. */
    @Nullable Path file();

    /** Returns the place in words, such as the file in quotes. */
    String description();

    /**
     * Chooses the source.
     *
     * @param keyFile as configured; empty for none
     * @param key as configured, in base64; empty for none
     * @param credentials the folder of the credentials of systemd; empty for none
     * @throws IllegalArgumentException when two are configured
     */
    static KeySource of(String keyFile, String key, String credentials, Path dataDirectory) {
        if (!key.isBlank()) {
            if (!keyFile.isBlank()) {
                throw new IllegalArgumentException(
                        "both orloj.secrets.key-file (--secret-key-file) and orloj.secrets.key"
                                + " (ORLOJ_SECRETS_KEY) are set; leave out one");
            }
            return new KeyText(key);
        }
        if (!keyFile.isBlank()) {
            return KeyFile.configured(Path.of(keyFile));
        }
        if (!credentials.isBlank()) {
            Path credential = Path.of(credentials).resolve(KeyFile.NAME);
            if (credential.toFile().exists()) {
                return KeyFile.configured(credential);
            }
        }
        return KeyFile.inDataDirectory(dataDirectory.resolve(KeyFile.NAME));
    }
}
