package dev.orloj.server.store.key;

import java.time.Instant;
import java.util.Optional;

/**
 * A data key, as administrators see it.
 *
 * @param state Current, Retired, Removed, or Missing when it cannot be unwrapped or is unknown
 * @param wrappedBy id of the key that wraps it; empty for a key that is not in the database
 * @param createdAt empty likewise
 * @param values how many encrypted values name it
 */
public record EncryptionKey(
        String id,
        String state,
        String wrappedBy,
        Optional<Instant> createdAt,
        Optional<Instant> removedAt,
        long values) {}
