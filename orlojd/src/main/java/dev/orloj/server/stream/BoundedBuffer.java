package dev.orloj.server.stream;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * A buffer for a client that reads slowly, bounded in number and in bytes: drops the oldest
 * droppable elements first. For use under a lock.
 */
public final class BoundedBuffer<E> {

    static final int MOST = 1_000;

    /** A single element may be larger. */
    static final long MAX_BYTES = 16L * 1024 * 1024;

    /** Describes the elements. */
    public interface Weights<E> {

        /** Whether it may be dropped for a client that is too slow. */
        boolean isDroppable(E each);

        /** The memory that it takes in the buffer. */
        long bytes(E each);
    }

    private final Weights<E> weights;
    private final Deque<E> waiting = new ArrayDeque<>(0);
    private long bytes;

    public BoundedBuffer(Weights<E> weights) {
        this.weights = weights;
    }

    /** Returns false when it does not fit, even after dropping. */
    public boolean add(E next) {
        waiting.add(next);
        bytes += weights.bytes(next);
        while (isTooMuch() && dropOldest()) {}
        return !isTooMuch();
    }

    private boolean isTooMuch() {
        return waiting.size() > MOST || (waiting.size() > 1 && bytes > MAX_BYTES);
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

    /** Removes and returns all of them. */
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
