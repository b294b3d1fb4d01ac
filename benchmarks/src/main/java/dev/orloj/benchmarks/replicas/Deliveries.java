package dev.orloj.benchmarks.replicas;

import dev.orloj.benchmarks.load.Histogram;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * When each of a run of numbered changes was written, and when the last replica received it.
 * Thread-safe. Each replica reports each change at most once.
 */
final class Deliveries {

    private final long first;
    private final int replicas;
    private final AtomicLongArray writtenAt;
    private final AtomicLongArray lastAt;
    private final AtomicIntegerArray received;
    private final CountDownLatch left;

    /**
     * @param first number of the first change
     */
    Deliveries(long first, int changes, int replicas) {
        this.first = first;
        this.replicas = replicas;
        this.writtenAt = new AtomicLongArray(changes);
        this.lastAt = new AtomicLongArray(changes);
        this.received = new AtomicIntegerArray(changes);
        this.left = new CountDownLatch(changes);
    }

    /** Called right before the change is sent to the database. */
    void written(long change) {
        writtenAt.set((int) (change - first), System.nanoTime());
    }

    /** Called when a replica receives a change; one of another run is ignored. */
    void received(long change) {
        int index = (int) (change - first);
        if (index < 0 || index >= received.length()) {
            return;
        }
        if (received.incrementAndGet(index) == replicas) {
            lastAt.set(index, System.nanoTime());
            left.countDown();
        }
    }

    /** Waits for the last replica; returns the number of changes that did not reach all. */
    long await(Duration timeout) throws InterruptedException {
        boolean complete = left.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
        return complete ? 0 : left.getCount();
    }

    /** The delays until the last replica had each change. */
    Histogram delays() {
        Histogram delays = new Histogram();
        for (int i = 0; i < lastAt.length(); i++) {
            if (lastAt.get(i) != 0) {
                delays.record(lastAt.get(i) - writtenAt.get(i));
            }
        }
        return delays;
    }
}
