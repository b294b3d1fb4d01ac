package dev.orloj.runtime.session.definition;

import dev.orloj.api.Backoff;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Limits how often the opening of a session is attempted before it counts as failed.
 *
 * @param maxAttempts at least 1
 * @param backoff wait after the first failed attempt; doubles after each further one
 */
public record ReconnectPolicy(int maxAttempts, Duration backoff) {

    private static final Duration LONGEST_DELAY = Duration.ofMinutes(1);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);
    private static final Duration SHORTEST_WAIT = Duration.ofSeconds(1);
    private static final double JITTER = 0.2;

    public ReconnectPolicy {
        if (maxAttempts < 1) {
            throw new IllegalArgumentException(
                    "Reconnect attempts must be at least 1: " + maxAttempts);
        }
        if (backoff.isNegative()) {
            throw new IllegalArgumentException("Backoff must not be negative: " + backoff);
        }
    }

    /**
     * Returns the wait before the next attempt. It doubles up to one minute (a longer backoff stays
     * as it is). Jitter adds up to a fifth, so that servers that failed together do not return
     * together.
     *
     * @param failures failed attempts so far, at least 1
     */
    public Duration delayAfter(int failures, RandomGenerator random) {
        return stretched(delay(backoff, failures, LONGEST_DELAY), random);
    }

    /**
     * Returns the wait before the next opening that no client requested. It continues to double
     * from the last wait between the attempts of the first opening, from at least one second up to
     * five minutes (a longer backoff stays as it is). The same jitter applies.
     *
     * @param failures failed openings so far, at least 1
     */
    public Duration delayAfterOpenings(int failures, RandomGenerator random) {
        Duration first = delay(backoff, maxAttempts, LONGEST_DELAY);
        Duration least = first.compareTo(SHORTEST_WAIT) < 0 ? SHORTEST_WAIT : first;
        return stretched(delay(least, failures, LONGEST_WAIT), random);
    }

    private static Duration delay(Duration first, int failures, Duration longest) {
        return first.isZero() ? first : Backoff.of(first, longest).delay(failures);
    }

    private static Duration stretched(Duration delay, RandomGenerator random) {
        return delay.plusNanos((long) (delay.toNanos() * JITTER * random.nextDouble()));
    }
}
