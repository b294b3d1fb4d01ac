package dev.orloj.runtime.clock;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;

/**
 * Provides the time and runs tasks later, both based on one source, which a test can advance
 * manually.
 */
public interface Scheduler extends InstantSource {

    /** A scheduled task. */
    interface Alarm {

        /** Cancels the task unless it has started. */
        void cancel();
    }

    /**
     * Runs a task once, after the delay. The task must return at once: all tasks share a thread.
     */
    Alarm ring(Duration delay, Runnable task);

    /** Blocks the calling thread for the given time. */
    default void await(Duration delay) throws InterruptedException {
        CountDownLatch rung = new CountDownLatch(1);
        Alarm timer = ring(delay, rung::countDown);
        try {
            rung.await();
        } finally {
            timer.cancel();
        }
    }
}
