package dev.orloj.runtime.workload;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Limits the time for which threads wait for workloads to end. Before shutdown, each wait has its
 * own grace. From shutdown on, all waits have at most the given limit, including those in progress.
 * Thread-safe.
 */
public final class ShutdownBudget {

    /** Interval at which waiting threads check the limit. */
    private static final Duration POLL = Duration.ofMillis(100);

    private volatile Duration most = Duration.ofSeconds(Long.MAX_VALUE);

    /** Limits all waits from now on; a later call can only shorten the limit. */
    public synchronized void atMost(Duration limit) {
        if (limit.compareTo(most) < 0) {
            most = limit;
        }
    }

    /** Waits for the end, at most for the grace, which may become shorter during the wait. */
    public boolean awaits(CompletableFuture<?> end, Duration grace) {
        long start = System.nanoTime();
        Duration left = left(grace, start);
        while (left.compareTo(POLL) > 0) {
            if (completes(end, POLL)) {
                return true;
            }
            left = left(grace, start);
        }
        return completes(end, left);
    }

    /** Waits for the end, at most for the timeout, regardless of the limit. */
    public static boolean completes(CompletableFuture<?> end, Duration timeout) {
        try {
            end.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException("Waiting for the end of a workload failed", e);
        }
    }

    /** Returns whether a wait that started at the given time may continue. */
    public boolean isLeft(Duration grace, long startNanos) {
        return left(grace, startNanos).isPositive();
    }

    /** Returns the rest of a wait, which may be zero. */
    Duration left(Duration grace, long startNanos) {
        Duration limit = most;
        Duration allowed = grace.compareTo(limit) < 0 ? grace : limit;
        Duration left = allowed.minusNanos(System.nanoTime() - startNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
