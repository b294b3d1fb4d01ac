package dev.orloj.runtime.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.runtime.session.definition.SessionKey;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;

/**
 * Serializes the openings of sessions with one server. While it is unknown whether a connection
 * works, one session opens and the others wait for its outcome, so that a refused token is tried
 * only as often as for one session. Thread-safe.
 */
final class OpeningTurns {

    /**
     * The opening that goes first; completes with its failure, or empty when its outcome is
     * unknown.
     */
    private record First(Object opener, CompletableFuture<Optional<FailedOpening>> end) {}

    @GuardedBy("this")
    private final Map<SessionKey, First> first = new HashMap<>();

    private final InstantSource clock;

    /** The key of the latest successful opening, unless an opening has failed since. */
    @GuardedBy("this")
    private @Nullable SessionKey working;

    /**
     * The latest failure; null when an opening has succeeded since. {@link #retryAt} is the time of
     * the next opening.
     */
    @GuardedBy("this")
    private @Nullable FailedOpening latest;

    @GuardedBy("this")
    private Instant retryAt = Instant.EPOCH;

    OpeningTurns(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Waits for a turn. Each turn requires a call of {@link #leave}.
     *
     * @param opener identifies the opening
     * @param respected which failure of an earlier opening this one waits after; none when a client
     *     waits for it
     * @return the failure of the opening that went first; empty when it is this opening's turn
     */
    Optional<FailedOpening> enter(SessionKey key, Object opener, Predicate<FailedOpening> respected)
            throws InterruptedException {
        while (true) {
            CompletableFuture<Optional<FailedOpening>> end;
            synchronized (this) {
                First other = first.get(key);
                if (key.equals(working)) {
                    return Optional.empty();
                }
                if (other == null) {
                    Optional<FailedOpening> failed = latest(key).filter(respected);
                    if (failed.isPresent()) {
                        return failed;
                    }
                    first.put(key, new First(opener, new CompletableFuture<>()));
                    return Optional.empty();
                }
                end = other.end();
            }
            Optional<FailedOpening> failed = await(end);
            if (failed.isPresent()) {
                return failed;
            }
        }
    }

    /** Returns the latest failure of this key, with what is left of the wait after it. */
    synchronized Optional<FailedOpening> latest(SessionKey key) {
        FailedOpening failed = latest;
        if (failed == null || !failed.key().isSameAs(key)) {
            return Optional.empty();
        }
        Duration left = Duration.between(clock.instant(), retryAt);
        return left.isPositive()
                ? Optional.of(new FailedOpening(key, failed.cause(), failed.inARow(), left))
                : Optional.empty();
    }

    private static Optional<FailedOpening> await(CompletableFuture<Optional<FailedOpening>> end)
            throws InterruptedException {
        try {
            return end.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Records that sessions of this key open, and releases all waiting openings. */
    synchronized void succeeded(SessionKey key) {
        working = key;
        latest = null;
        First waitedFor = first.remove(key);
        if (waitedFor != null) {
            waitedFor.end().complete(Optional.empty());
        }
    }

    /** Records that a session did not open, and fails the openings that wait for it. */
    synchronized void failed(Object opener, FailedOpening failed) {
        SessionKey key = failed.key();
        if (key.equals(working)) {
            working = null;
        }
        latest = failed;
        retryAt = clock.instant().plus(failed.retryAfter());
        First waitedFor = first.get(key);
        if (waitedFor != null && waitedFor.opener() == opener) {
            first.remove(key);
            waitedFor.end().complete(Optional.of(failed));
        }
    }

    /** Ends the turn; without an outcome, another opening goes first. */
    synchronized void leave(Object opener) {
        first.values()
                .removeIf(each -> each.opener() == opener && each.end().complete(Optional.empty()));
    }
}
