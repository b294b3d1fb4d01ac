package dev.orloj.benchmarks.watch;

import dev.orloj.benchmarks.load.Histogram;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * When a run of numbered changes was made, and how long each took to every watcher. Thread-safe;
 * what arrives twice or was never made is counted.
 */
final class Arrivals {

    private final long first;
    private final AtomicLongArray madeAt;
    private final LongAdder strays = new LongAdder();

    /**
     * @param first number of the first change
     */
    Arrivals(long first, int changes) {
        this.first = first;
        this.madeAt = new AtomicLongArray(changes);
    }

    /** To be called right before the change is sent to the database. */
    void made(long change) {
        madeAt.set((int) (change - first), System.nanoTime());
    }

    long strays() {
        return strays.sum();
    }

    Watcher watcher() {
        return new Watcher();
    }

    /** What one watcher saw. One thread adds; others may ask whether it is complete. */
    final class Watcher {

        private final Histogram latencies = new Histogram();
        private final AtomicIntegerArray seen = new AtomicIntegerArray(madeAt.length());
        private final AtomicInteger missing = new AtomicInteger(madeAt.length());

        void saw(long change) {
            long now = System.nanoTime();
            long index = change - first;
            if (index < 0 || index >= madeAt.length() || madeAt.get((int) index) == 0) {
                strays.increment();
            } else if (seen.getAndSet((int) index, 1) != 0) {
                strays.increment();
            } else {
                latencies.record(now - madeAt.get((int) index));
                missing.decrementAndGet();
            }
        }

        int missing() {
            return missing.get();
        }

        /** To be read after the watcher's thread has ended. */
        Histogram latencies() {
            return latencies;
        }
    }
}
