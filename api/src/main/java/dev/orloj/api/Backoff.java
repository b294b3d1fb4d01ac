package dev.orloj.api;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Computes the wait after a failure. The wait doubles with each failure in a row, up to a maximum,
 * and is shortened by a random share so that work that failed together is not retried together.
 * Immutable.
 *
 * @param initial the wait after the first failure
 * @param max the longest wait
 * @param jitter the largest share that is taken off, from 0 to below 1
 */
public record Backoff(Duration initial, Duration max, double jitter) {

    public Backoff {
        if (initial.isNegative() || initial.isZero()) {
            throw new IllegalArgumentException("initial backoff " + initial + " is not positive");
        }
        if (max.compareTo(initial) < 0) {
            throw new IllegalArgumentException(
                    "max backoff %s is shorter than the initial %s".formatted(max, initial));
        }
        if (!(jitter >= 0 && jitter < 1)) {
            throw new IllegalArgumentException("jitter " + jitter + " is not within [0, 1)");
        }
    }

    /** Returns a backoff without jitter. An initial wait above the maximum stays as it is. */
    public static Backoff of(Duration initial, Duration max) {
        return new Backoff(initial, max.compareTo(initial) < 0 ? initial : max, 0);
    }

    /**
     * Returns the wait after a number of failures in a row.
     *
     * @param failures at least 1
     */
    public Duration delay(int failures, RandomGenerator random) {
        Duration whole = delay(failures);
        return whole.minusNanos((long) (whole.toNanos() * jitter * random.nextDouble()));
    }

    /**
     * Returns the wait after a number of failures in a row, without jitter.
     *
     * @param failures at least 1
     */
    public Duration delay(int failures) {
        if (failures < 1) {
            throw new IllegalArgumentException("failures " + failures + " is less than 1");
        }
        long whole = max.toNanos();
        int doublings = failures - 1;
        // A shift by more than the number of leading zeros would overflow. The maximum is reached
        // long before.
        if (doublings < Long.numberOfLeadingZeros(initial.toNanos()) - 1) {
            whole = Math.min(whole, initial.toNanos() << doublings);
        }
        return Duration.ofNanos(whole);
    }
}
