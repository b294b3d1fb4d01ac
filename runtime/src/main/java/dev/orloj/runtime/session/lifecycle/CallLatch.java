package dev.orloj.runtime.session.lifecycle;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Admits requests while the latch is open, counts the requests in flight, and signals when the last
 * one ends after the latch is shut. Lock-free.
 *
 * <p>One word holds the whole state, so that "shut if no request entered since I looked" is one
 * atomic step: bit 0 is set while the latch is shut, bits 1 to 20 count the requests in flight, and
 * the remaining bits count all requests that ever entered.
 */
public final class CallLatch {

    private static final long SHUT = 1;
    private static final long ONE_INSIDE = 1L << 1;
    private static final long INSIDE_MASK = (1L << 21) - 2;
    private static final long ONE_ENTERED = 1L << 21;

    private final AtomicLong word = new AtomicLong(SHUT);
    private final CountDownLatch empty = new CountDownLatch(1);

    void open() {
        word.updateAndGet(seen -> seen & ~SHUT);
    }

    /** Enters, unless the latch is shut. Each successful call requires a call of {@link #leave}. */
    public boolean enter() {
        while (true) {
            long seen = word.get();
            if ((seen & SHUT) != 0) {
                return false;
            }
            if (word.compareAndSet(seen, seen + ONE_ENTERED + ONE_INSIDE)) {
                return true;
            }
        }
    }

    public void leave() {
        signalWhenEmpty(word.addAndGet(-ONE_INSIDE));
    }

    void shut() {
        signalWhenEmpty(word.updateAndGet(seen -> seen | SHUT));
    }

    /** Returns the state that {@link #shutIfUnchanged} compares with. */
    long look() {
        return word.get();
    }

    /**
     * Shuts the latch if no request is in flight and none entered since {@link #look} returned
     * {@code seen}.
     */
    boolean shutIfUnchanged(long seen) {
        if ((seen & INSIDE_MASK) != 0 || !word.compareAndSet(seen, seen | SHUT)) {
            return false;
        }
        empty.countDown();
        return true;
    }

    public int inside() {
        return (int) ((word.get() & INSIDE_MASK) / ONE_INSIDE);
    }

    /**
     * Releases all threads that wait in {@link #awaitEmpty}, even if requests are still in flight.
     */
    public void giveUp() {
        empty.countDown();
    }

    /** Waits until the latch is shut and no request is in flight, or until {@link #giveUp}. */
    public void awaitEmpty() throws InterruptedException {
        empty.await();
    }

    private void signalWhenEmpty(long seen) {
        if ((seen & SHUT) != 0 && (seen & INSIDE_MASK) == 0) {
            empty.countDown();
        }
    }
}
