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

    /** The latest failure; {@link #retryAt} is the time of the next opening. */
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
     * @param mayWait whether no client waits for this opening, so that it also observes the wait
     *     after a failure of another opening
     * @return the failure of the opening that went first; empty when it is this opening's turn
     */
    Optional<FailedOpening> enter(SessionKey key, Object opener, boolean mayWait)
            throws InterruptedException {
        while (true) {
            CompletableFuture<Optional<FailedOpening>> end;
            synchronized (this) {
                First other = first.get(key);
                if (key.equals(working)) {
                    return Optional.empty();
                }
                if (other == null) {
                    Optional<FailedOpening> failed = mayWait ? latest(key) : Optional.empty();
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

    @GuardedBy("this")
    private Optional<FailedOpening> latest(SessionKey key) {
        Duration left = Duration.between(clock.instant(), retryAt);
        return Optional.ofNullable(latest)
                .filter(failed -> failed.key().isSameAs(key) && left.isPositive())
                .map(failed -> new FailedOpening(key, failed.cause(), failed.inARow(), left));
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
