package dev.orloj.server.calls;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.util.concurrent.CountDownLatch;

/** A call that is being made here. Thread-safe. */
final class RunningCall {

    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;

    @GuardedBy("this")
    private boolean over;

    @GuardedBy("this")
    private boolean cancelled;

    /**
     * @param thread makes the call, and keeps its answer
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

    /** From now on its thread is left alone: it has the answer to keep. */
    synchronized void over() {
        over = true;
        Thread.interrupted();
    }

    /** Its answer is kept, or nothing more is done about that. */
    void end() {
        ended.countDown();
    }

    CountDownLatch ended() {
        return ended;
    }
}
