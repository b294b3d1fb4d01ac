package dev.orloj.runtime.session;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How often one opening of a session is tried before it counts as failed.
 *
 * @param maxAttempts at least 1
 * @param backoff wait after the first failed attempt; it doubles after each further one
 */
public record Reconnect(int maxAttempts, Duration backoff) {

    private static final Duration LONGEST_DELAY = Duration.ofMinutes(1);
    private static final int MOST_DOUBLINGS = 16;
    private static final double JITTER = 0.2;

    public Reconnect {
        if (maxAttempts < 1) {
            throw new IllegalArgumentException(
                    "Reconnect attempts must be at least 1: " + maxAttempts);
        }
        if (backoff.isNegative()) {
            throw new IllegalArgumentException("Backoff must not be negative: " + backoff);
        }
    }

    /**
     * The wait before the next attempt. Doubles up to a minute (a longer backoff stays as it is),
     * and is stretched by up to a fifth, so that servers that failed together do not return
     * together.
     *
     * @param failures failed attempts so far, at least 1
     */
    Duration delayAfter(int failures, RandomGenerator random) {
        Duration doubled = backoff.multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
        Duration cap = backoff.compareTo(LONGEST_DELAY) > 0 ? backoff : LONGEST_DELAY;
        Duration delay = doubled.compareTo(cap) > 0 ? cap : doubled;
        return delay.plusNanos((long) (delay.toNanos() * JITTER * random.nextDouble()));
    }
}
