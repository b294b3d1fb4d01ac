package dev.orloj.server.authentication;

import dev.orloj.api.signature.Sha256;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * What verified tokens have shown, for some seconds: to verify a signature takes longer than most
 * requests. The tokens themselves are not kept. Thread-safe.
 *
 * @param <V> what is known of a token
 */
public final class VerifiedTokens<V> {

    /** How long a token that was revoked may still count. */
    public static final Duration LIFETIME = Duration.ofSeconds(10);

    private static final int MAX_TOKENS = 10_000;

    private final InstantSource clock;
    private final ConcurrentMap<ByteBuffer, Entry<V>> byDigest = new ConcurrentHashMap<>();

    private record Entry<V>(V value, Instant until) {}

    public VerifiedTokens(InstantSource clock) {
        this.clock = clock;
    }

    public Optional<V> find(String token) {
        Entry<V> entry = byDigest.get(digest(token));
        return entry != null && clock.instant().isBefore(entry.until())
                ? Optional.of(entry.value())
                : Optional.empty();
    }

    /**
     * @param expiresAt when the token expires
     */
    public void remember(String token, V value, Instant expiresAt) {
        Instant now = clock.instant();
        if (byDigest.size() >= MAX_TOKENS) {
            byDigest.values().removeIf(entry -> !now.isBefore(entry.until()));
        }
        if (byDigest.size() < MAX_TOKENS) {
            Instant latest = now.plus(LIFETIME);
            byDigest.put(
                    digest(token),
                    new Entry<>(value, expiresAt.isBefore(latest) ? expiresAt : latest));
        }
    }

    /** Forgets all tokens, because one of them may no longer count. */
    public void clear() {
        byDigest.clear();
    }

    private static ByteBuffer digest(String token) {
        return ByteBuffer.wrap(Sha256.digest(token));
    }
}
