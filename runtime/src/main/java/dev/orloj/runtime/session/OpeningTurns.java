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
 * The openings of all sessions with one server. While it is not known whether a connection works,
 * one goes first and the others wait for what comes of it: a token that is refused is tried as
 * often as if there were one session. Thread-safe.
 */
final class OpeningTurns {

    /** One that goes first; ends with what came of it, empty when nothing is known of that. */
    private record First(Object opener, CompletableFuture<Optional<FailedOpening>> end) {}

    @GuardedBy("this")
    private final Map<SessionKey, First> first = new HashMap<>();

    private final InstantSource clock;

    /** What was opened last, and has not failed to since. */
    @GuardedBy("this")
    private @Nullable SessionKey working;

    /** The latest failure, and when to try again. */
    @GuardedBy("this")
    private @Nullable FailedOpening latest;

    @GuardedBy("this")
    private Instant retryAt = Instant.EPOCH;

    OpeningTurns(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Waits for a turn. Whoever gets one must {@link #leave}.
     *
     * @param opener who it is
     * @param mayWait whether nobody waits for it, so that the wait after a failure of another one
     *     holds for this one
     * @return how the one that went first has failed; empty when it is the turn of this one
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

    /** Sessions of this key open: nobody waits for another any more. */
    synchronized void succeeded(SessionKey key) {
        working = key;
        First waitedFor = first.remove(key);
        if (waitedFor != null) {
            waitedFor.end().complete(Optional.empty());
        }
    }

    /** A session did not open, and neither would those that wait for it. */
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

    /** The turn is over; if nothing came of it, another one goes first. */
    synchronized void leave(Object opener) {
        first.values()
                .removeIf(each -> each.opener() == opener && each.end().complete(Optional.empty()));
    }
}
