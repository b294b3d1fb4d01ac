package dev.orloj.server.store.key;

import dev.orloj.server.store.table.DataKey;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Keys of a setting, which is usually an environment variable: in base64, separated by white space.
 *
 * @param text the setting
 */
record KeyText(String text) implements KeySource {

    private static final int MAX_KEYS = 16;

    /** Reads keys in base64, separated by white space. */
    static List<KeyEncryptionKey> parse(String text) {
        List<KeyEncryptionKey> keys =
                Stream.of(text.strip().split("\\s+", MAX_KEYS + 1))
                        .map(DataKey::fromBase64)
                        .<KeyEncryptionKey>map(LocalKey::new)
                        .toList();
        if (keys.size() > MAX_KEYS) {
            throw new IllegalArgumentException(
                    "There are more than %d encryption keys: leave out those that no key of the database is wrapped by"
                            .formatted(MAX_KEYS));
        }
        return keys;
    }

    @Override
    public List<KeyEncryptionKey> load() {
        return parse(text);
    }

    @Override
    public KeyEncryptionKey create() throws IOException {
        throw new IOException(description() + " has no key");
    }

    @Override
    public List<Path> files() {
        return List.of();
    }

    @Override
    public String description() {
        return "ORLOJ_SECRETS_KEY";
    }

    @Override
    public String toString() {
        return "KeyText[***]";
    }
}
