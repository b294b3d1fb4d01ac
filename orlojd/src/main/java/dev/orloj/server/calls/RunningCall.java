package dev.orloj.server.calls;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.util.concurrent.CountDownLatch;

/** A call that runs on this replica. Thread-safe. */
final class RunningCall {

    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;

    @GuardedBy("this")
    private boolean over;

    @GuardedBy("this")
    private boolean cancelled;

    /**
     * @param thread executes the call and stores its answer
     */
    RunningCall(Thread thread) {
        this.thread = thread;
    }

    void start() {
        thread.start();
    }

    synchronized void cancel() {
        if (!over && !cancelled) {
            cancelled = true;
            thread.interrupt();
        }
    }

    synchronized void breakOff() {
        if (!over) {
            thread.interrupt();
        }
    }

    synchronized boolean isCancelled() {
        return cancelled;
    }

    /** Stops further interrupts of the thread, which still has to store the answer. */
    synchronized void over() {
        over = true;
        Thread.interrupted();
    }

    /** Marks the answer as stored, or as given up. */
    void end() {
        ended.countDown();
    }

    CountDownLatch ended() {
        return ended;
    }
}
