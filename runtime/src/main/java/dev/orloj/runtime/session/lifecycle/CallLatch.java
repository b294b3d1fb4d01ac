package dev.orloj.runtime.session.lifecycle;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lets requests in while it is open, counts those inside, and tells when the last one has left
 * after it was shut. Lock-free.
 *
 * <p>One word holds everything, so that "shut, if nobody came since I looked" is one step: bit 0 is
 * set while shut, bits 1 to 20 count who is inside, the rest counts who ever entered.
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

    /** Goes in, unless the gate is shut. Who is in must {@link #leave}. */
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

    /** What {@link #shutIfUnchanged} compares with. */
    long look() {
        return word.get();
    }

    /**
     * Shuts the gate if nobody is inside and nobody came since {@link #look} returned {@code seen}.
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

    /** Ends all waiting in {@link #awaitEmpty}, whoever is still inside. */
    public void giveUp() {
        empty.countDown();
    }

    /** Waits until the gate is shut and everybody has left, or until {@link #giveUp}. */
    public void awaitEmpty() throws InterruptedException {
        empty.await();
    }

    private void signalWhenEmpty(long seen) {
        if ((seen & SHUT) != 0 && (seen & INSIDE_MASK) == 0) {
            empty.countDown();
        }
    }
}
