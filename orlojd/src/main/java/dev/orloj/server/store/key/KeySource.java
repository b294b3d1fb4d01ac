package dev.orloj.server.store.key;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

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

    /** Returns the files that servers must not read. */
    List<Path> files();

    /** Returns the place in words, such as the file in quotes. */
    String description();

    /** Returns the part with keys that {@link #load} reads, rather than those of devices. */
    default KeySource local() {
        return this;
    }

    /**
     * Returns why a key could not be used the last time; empty when it could, or is none of this
     * source.
     */
    default Optional<String> problem(String id) {
        return Optional.empty();
    }

    /**
     * Chooses the source.
     *
     * @param hardware URIs of keys in hardware security modules, the one for new wraps first; the
     *     keys of the other places only unwrap what they wrapped before
     * @param keyFile as configured; empty for none
     * @param key as configured, in base64; empty for none
     * @param credentials the folder of the credentials of systemd; empty for none
     * @throws IllegalArgumentException when two are configured, or a URI is none
     */
    static KeySource of(
            List<String> hardware,
            String keyFile,
            String key,
            String credentials,
            Path dataDirectory) {
        KeySource others = of(keyFile, key, credentials, dataDirectory);
        return hardware.isEmpty() ? others : HardwareKeys.of(hardware, others);
    }

    /** Chooses the source of an orlojd without a hardware security module. */
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
