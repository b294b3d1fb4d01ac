package dev.orloj.runtime.limit;

import java.time.Duration;
import java.util.Optional;

/**
 * What calls of one server are held to.
 *
 * @param maxConcurrent calls that may go on at one time
 * @param maxQueued calls that may wait for one of those to end
 * @param queueTimeout how long a call may wait so
 * @param rate how often calls may begin; empty for as often as they come
 * @param breaker when to stop trying for a while; empty for never
 */
public record CallLimits(
        int maxConcurrent,
        int maxQueued,
        Duration queueTimeout,
        Optional<Rate> rate,
        Optional<Breaker> breaker) {

    /**
     * A thousand calls at a time is more than any one server works on, and a bound nevertheless: a
     * server that answers nobody must not gather callers until orlojd has no memory left.
     */
    public static final CallLimits DEFAULT =
            new CallLimits(1_000, 100, Duration.ofSeconds(10), Optional.empty(), Optional.empty());

    /** So many calls in each period. */
    public record Rate(int calls, Duration period) {

        public Rate {
            requireAtLeastOne("Calls per period", calls);
            requirePositive("Period", period);
        }
    }

    /**
     * After so many calls lost within the window, all are refused for a while; then one may try.
     */
    public record Breaker(int failures, Duration window, Duration openFor) {

        public Breaker {
            requireAtLeastOne("Failures", failures);
            requirePositive("Window", window);
            requirePositive("Open time", openFor);
        }
    }

    public CallLimits {
        requireAtLeastOne("Concurrent calls", maxConcurrent);
        if (maxQueued < 0) {
            throw new IllegalArgumentException("Queued calls must not be negative: " + maxQueued);
        }
        if (queueTimeout.isNegative()) {
            throw new IllegalArgumentException(
                    "Queue timeout must not be negative: " + queueTimeout);
        }
    }

    private static void requireAtLeastOne(String what, int number) {
        if (number < 1) {
            throw new IllegalArgumentException(what + " must be at least 1: " + number);
        }
    }

    private static void requirePositive(String what, Duration duration) {
        if (!duration.isPositive()) {
            throw new IllegalArgumentException(what + " must be positive: " + duration);
        }
    }
}
