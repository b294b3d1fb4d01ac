package dev.orloj.server.stream;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * What waits for a client that reads slowly, bounded in number and in bytes: the oldest go of what
 * it can do without. For use under a lock.
 */
public final class BoundedBuffer<E> {

    static final int MOST = 1_000;

    /** A single one may have more. */
    static final long MOST_BYTES = 16L * 1024 * 1024;

    /** Knows what is waiting. */
    public interface Weights<E> {

        /** Whether a client that is too slow can do without it. */
        boolean isDroppable(E each);

        /** How much it takes while it waits. */
        long bytes(E each);
    }

    private final Weights<E> weights;
    private final Deque<E> waiting = new ArrayDeque<>(0);
    private long bytes;

    public BoundedBuffer(Weights<E> weights) {
        this.weights = weights;
    }

    /** Returns false when it is too much, even without what can be dropped. */
    public boolean add(E next) {
        waiting.add(next);
        bytes += weights.bytes(next);
        while (isTooMuch() && dropOldest()) {}
        return !isTooMuch();
    }

    private boolean isTooMuch() {
        return waiting.size() > MOST || (waiting.size() > 1 && bytes > MOST_BYTES);
    }

    private boolean dropOldest() {
        for (Iterator<E> each = waiting.iterator(); each.hasNext(); ) {
            E next = each.next();
            if (weights.isDroppable(next)) {
                each.remove();
                bytes -= weights.bytes(next);
                return true;
            }
        }
        return false;
    }

    public boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** The oldest; null when there is none. */
    @Nullable E poll() {
        E next = waiting.poll();
        if (next != null) {
            bytes -= weights.bytes(next);
        }
        return next;
    }

    /** All of them, which wait no more. */
    public List<E> takeAll() {
        List<E> all = new ArrayList<>(waiting);
        clear();
        return all;
    }

    public void clear() {
        waiting.clear();
        bytes = 0;
    }
}
