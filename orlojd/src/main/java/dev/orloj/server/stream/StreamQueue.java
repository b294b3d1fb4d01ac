package dev.orloj.server.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.server.stream.StreamedWork.Said;
import dev.orloj.server.stream.StreamedWork.Writer;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What a client is still to hear. When it is too slow the oldest go of what it can do without; when
 * the rest is too much as well, all of it goes, and the stream ends: a client that sees the end
 * knows that something is missing. Thread-safe.
 */
final class StreamQueue<E> {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final BoundedBuffer<Said<E>> said;

    @GuardedBy("lock")
    private boolean overflowed;

    /**
     * @param writer knows what its events are worth
     */
    StreamQueue(Writer<E> writer) {
        this.said = new BoundedBuffer<>(new Worth<>(writer));
    }

    private record Worth<E>(Writer<E> writer) implements BoundedBuffer.Weights<Said<E>> {

        @Override
        public boolean isDroppable(Said<E> each) {
            return !each.last() && each.event() != null && writer.isDroppable(each.event());
        }

        @Override
        public long bytes(Said<E> each) {
            return each.event() == null ? 0 : writer.bytes(each.event());
        }
    }

    /** Returns false when it was too much, now or before. */
    boolean add(Said<E> next) {
        lock.lock();
        try {
            if (overflowed) {
                return false;
            }
            if (!said.add(next) && !next.last()) {
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

    /** The oldest; null when there was none for so long. */
    @Nullable Said<E> take(Duration timeout) throws InterruptedException {
        long left = timeout.toNanos();
        lock.lockInterruptibly();
        try {
            while (said.isEmpty() && left > 0) {
                left = changed.awaitNanos(left);
            }
            return said.poll();
        } finally {
            lock.unlock();
        }
    }
}
