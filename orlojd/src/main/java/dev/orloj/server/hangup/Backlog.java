package dev.orloj.server.hangup;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.server.hangup.StreamedWork.Said;
import dev.orloj.server.hangup.StreamedWork.Writer;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What a client is still to hear. When it is too slow the oldest go of what it can do without; when
 * the rest is too much as well, all of it goes, and the stream ends: a client that sees the end
 * knows that something is missing. Thread-safe.
 */
final class Backlog<E> {

    static final int MOST = 1_000;

    /** A single event may have more. */
    static final long MOST_BYTES = 16 * 1024 * 1024;

    private final Writer<E> writer;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final Deque<Said<E>> said = new ArrayDeque<>();

    @GuardedBy("lock")
    private long bytes;

    @GuardedBy("lock")
    private boolean overflowed;

    /**
     * @param writer knows what its events are worth
     */
    Backlog(Writer<E> writer) {
        this.writer = writer;
    }

    /** Returns false when it was too much, now or before. */
    boolean add(Said<E> next) {
        lock.lock();
        try {
            if (overflowed) {
                return false;
            }
            said.add(next);
            bytes += bytes(next);
            while (isTooMuch() && dropOldest()) {}
            if (isTooMuch() && !next.last()) {
                overflowed = true;
                said.clear();
                said.add(new Said<>(null, true, null));
            }
            changed.signalAll();
            return !overflowed;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private boolean isTooMuch() {
        return said.size() > MOST || (said.size() > 1 && bytes > MOST_BYTES);
    }

    @GuardedBy("lock")
    private boolean dropOldest() {
        for (Iterator<Said<E>> each = said.iterator(); each.hasNext(); ) {
            Said<E> next = each.next();
            if (!next.last() && next.event() != null && writer.isDroppable(next.event())) {
                each.remove();
                bytes -= bytes(next);
                return true;
            }
        }
        return false;
    }

    private long bytes(Said<E> each) {
        return each.event() == null ? 0 : writer.bytes(each.event());
    }

    /** The oldest; null when there was none for so long. */
    @Nullable Said<E> take(Duration patience) throws InterruptedException {
        long left = patience.toNanos();
        lock.lockInterruptibly();
        try {
            while (said.isEmpty() && left > 0) {
                left = changed.awaitNanos(left);
            }
            Said<E> next = said.poll();
            if (next != null) {
                bytes -= bytes(next);
            }
            return next;
        } finally {
            lock.unlock();
        }
    }
}
