package dev.orloj.runtime.workload;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * How patient those may be who wait for processes to end. Everybody has the grace they were given,
 * until orlojd stops; from then on also those who wait already have at most so much. Thread-safe.
 */
final class Haste {

    /** How soon those who wait look again. */
    static final Duration POLL = Duration.ofMillis(100);

    private volatile @Nullable Duration most;

    /** From now on no wait takes longer; a later call only ever shortens it. */
    synchronized void atMost(Duration limit) {
        Duration before = most;
        if (before == null || limit.compareTo(before) < 0) {
            most = limit;
        }
    }

    /** What is left of a wait, which may be nothing. */
    Duration left(Duration grace, long startNanos) {
        Duration limit = most;
        Duration allowed = limit == null || grace.compareTo(limit) < 0 ? grace : limit;
        Duration left = allowed.minusNanos(System.nanoTime() - startNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
