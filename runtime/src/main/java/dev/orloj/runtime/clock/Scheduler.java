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
    interface Task {

        /** Cancels the task unless it has started. */
        void cancel();
    }

    /**
     * Runs a task once, after the delay. The task must return at once: all tasks share a thread.
     */
    Task schedule(Duration delay, Runnable task);

    /** Blocks the calling thread for the given time. */
    default void await(Duration delay) throws InterruptedException {
        CountDownLatch due = new CountDownLatch(1);
        Task timer = schedule(delay, due::countDown);
        try {
            due.await();
        } finally {
            timer.cancel();
        }
    }
}
