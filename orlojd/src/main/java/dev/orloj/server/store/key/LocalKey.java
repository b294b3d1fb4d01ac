package dev.orloj.server.store.key;

import dev.orloj.server.store.table.DataKey;

import java.util.Base64;
import java.util.Optional;

/**
 * A key that orlojd has in memory, from a file or a variable. Until databases had keys of their
 * own, it encrypted the values itself.
 *
 * @param key wraps the others
 */
record LocalKey(DataKey key) implements KeyEncryptionKey {

    @Override
    public String id() {
        return key.id();
    }

    @Override
    public String wrap(byte[] other, String use) {
        return Base64.getEncoder().encodeToString(key.seal(other, use));
    }

    @Override
    public Optional<byte[]> unwrap(String wrapped, String use) {
        try {
            return key.open(Base64.getDecoder().decode(wrapped), use);
        } catch (IllegalArgumentException e) { // no Base64
            return Optional.empty();
        }
    }
}
