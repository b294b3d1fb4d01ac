package dev.orloj.runtime.oauth;

import dev.orloj.api.Backoff;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/** The wait after failures in a row, during which the latest one is the answer. Not thread-safe. */
final class FailureHold {

    private static final Backoff BACKOFF = Backoff.of(Duration.ofSeconds(1), Duration.ofMinutes(1));

    private @Nullable OAuthException failure;
    private Instant end = Instant.MIN;
    private int inARow = 0;

    /** Returns the failure to answer with; null if another attempt may be made. */
    @Nullable OAuthException at(Instant now) {
        return now.isBefore(end) ? failure : null;
    }

    void begin(OAuthException cause, Instant now) {
        failure = cause;
        inARow++;
        end = now.plus(BACKOFF.delay(inARow));
    }

    /** Ends the wait. The next failure still counts as one in a row. */
    void end() {
        failure = null;
        end = Instant.MIN;
    }

    void forget() {
        end();
        inARow = 0;
    }
}
