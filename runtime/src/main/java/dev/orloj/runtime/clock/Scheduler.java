package dev.orloj.runtime.clock;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;

/**
 * Tells the time and rings when it has come: both from one source, which a test can move by hand.
 */
public interface Scheduler extends InstantSource {

    /** Something that will be done later. */
    interface Alarm {

        /** Keeps the task from running, if it has not begun. */
        void cancel();
    }

    /**
     * Runs a task once, after the delay. The task must return at once: all alarms share a thread.
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
