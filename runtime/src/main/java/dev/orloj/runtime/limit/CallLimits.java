package dev.orloj.runtime.limit;

import java.time.Duration;
import java.util.Optional;

/**
 * The limits of the calls of one server.
 *
 * @param maxConcurrent maximum number of concurrent calls
 * @param maxQueued maximum number of calls that wait for a concurrent call to end
 * @param queueTimeout maximum time in the queue
 * @param rate the rate at which calls may begin; empty for no limit
 * @param breaker when to stop calling for a while; empty for never
 */
public record CallLimits(
        int maxConcurrent,
        int maxQueued,
        Duration queueTimeout,
        Optional<Rate> rate,
        Optional<Breaker> breaker) {

    /**
     * The default: one thousand concurrent calls are more than a server can process, but they are a
     * limit, so that calls to a server that does not respond do not exhaust the memory of orlojd.
     */
    public static final CallLimits DEFAULT =
            new CallLimits(1_000, 100, Duration.ofSeconds(10), Optional.empty(), Optional.empty());

    /** A number of calls per period. */
    public record Rate(int calls, Duration period) {

        public Rate {
            requireAtLeastOne("Calls per period", calls);
            requirePositive("Period", period);
        }
    }

    /**
     * After this number of lost calls within the window, all calls are refused for a while; then
     * one trial call is allowed.
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
