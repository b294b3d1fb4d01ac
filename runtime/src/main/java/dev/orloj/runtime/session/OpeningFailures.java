package dev.orloj.runtime.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.runtime.limit.Limit;
import dev.orloj.runtime.limit.LimitReachedException;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionKey;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Counts the openings of sessions with one server that failed in a row. Thread-safe. */
final class OpeningFailures {

    /** Interval at which a replica that does not own the singletons checks again. */
    private static final Duration SINGLETON_RETRY = Duration.ofSeconds(1);

    /** When to replace a session of a user again. */
    private static final Duration USER_RETRY = Duration.ofMinutes(1);

    private final RandomGenerator random;

    /** The key that failed to open last; null when the latest opening succeeded. */
    @GuardedBy("this")
    private @Nullable SessionKey failing;

    @GuardedBy("this")
    private int inARow = 0;

    OpeningFailures(RandomGenerator random) {
        this.random = random;
    }

    /** Returns the number of consecutive failed openings of this key. */
    synchronized int inARow(SessionKey key) {
        return failing != null && failing.isSameAs(key) ? inARow : 0;
    }

    /**
     * Counts a failed opening, unless another replica caused it, which is resolved within seconds,
     * or it was for a user: others must not wait for that.
     */
    synchronized FailedOpening count(ServerDefinition definition, SessionOpenException cause) {
        SessionKey key = definition.key();
        if (definition.isOfUser()) {
            return new FailedOpening(key, cause, 1, USER_RETRY);
        }
        int before = inARow(key);
        if (cause.getCause() instanceof LimitReachedException limit
                && limit.limit() == Limit.SINGLETON) {
            return new FailedOpening(key, cause, before, SINGLETON_RETRY);
        }
        failing = key;
        inARow = before + 1;
        return new FailedOpening(
                key, cause, inARow, definition.reconnect().delayAfterOpenings(inARow, random));
    }

    /** Ends the count, unless the session that has opened is one of a user. */
    synchronized void opened(ServerDefinition definition) {
        if (!definition.isOfUser()) {
            failing = null;
        }
    }
}
