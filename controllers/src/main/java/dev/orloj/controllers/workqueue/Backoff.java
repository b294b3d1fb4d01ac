package dev.orloj.controllers.workqueue;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait after a failure: doubled with each one in a row, capped, and shortened by a
 * random share so that what failed together is not tried again together. Immutable.
 *
 * @param initial the wait after the first failure
 * @param max no wait is longer
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

    /**
     * The wait after so many failures in a row.
     *
     * @param failures at least 1
     */
    public Duration delay(int failures, RandomGenerator random) {
        if (failures < 1) {
            throw new IllegalArgumentException("failures " + failures + " is less than 1");
        }
        long whole = max.toNanos();
        int doublings = failures - 1;
        // Beyond the number of leading zeros a shift would overflow, and the cap has long been met.
        if (doublings < Long.numberOfLeadingZeros(initial.toNanos()) - 1) {
            whole = Math.min(whole, initial.toNanos() << doublings);
        }
        return Duration.ofNanos(whole - (long) (whole * jitter * random.nextDouble()));
    }
}
