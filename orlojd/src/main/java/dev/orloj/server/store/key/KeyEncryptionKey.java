package dev.orloj.server.store.key;

import java.util.Optional;

/** A key outside of the database, which wraps those in the database. Thread-safe. */
public interface KeyEncryptionKey {

    /** Returns the id by which wrapped keys name it. */
    String id();

    /**
     * Encrypts a key.
     *
     * @param use what the key is for, which {@link #unwrap} must name too
     */
    String wrap(byte[] key, String use);

    /** Decrypts a key; empty when this key has not wrapped it for this use. */
    Optional<byte[]> unwrap(String wrapped, String use);
}
