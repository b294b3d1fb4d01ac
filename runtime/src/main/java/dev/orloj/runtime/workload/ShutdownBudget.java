package dev.orloj.runtime.workload;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * How patient those may be who wait for workloads to end. Everybody has the grace they were given,
 * until orlojd stops; from then on also those who wait already have at most so much. Thread-safe.
 */
public final class ShutdownBudget {

    /** How soon those who wait look again. */
    private static final Duration POLL = Duration.ofMillis(100);

    private volatile Duration most = Duration.ofSeconds(Long.MAX_VALUE);

    /** From now on no wait takes longer; a later call only ever shortens it. */
    public synchronized void atMost(Duration limit) {
        if (limit.compareTo(most) < 0) {
            most = limit;
        }
    }

    /** Waits for an end as long as is granted, which may become shorter during the wait. */
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

    /** Waits for an end that takes as long as it takes, up to a limit. */
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

    /** Whether a wait that began then may go on. */
    public boolean isLeft(Duration grace, long startNanos) {
        return left(grace, startNanos).isPositive();
    }

    /** What is left of a wait, which may be nothing. */
    Duration left(Duration grace, long startNanos) {
        Duration limit = most;
        Duration allowed = grace.compareTo(limit) < 0 ? grace : limit;
        Duration left = allowed.minusNanos(System.nanoTime() - startNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
