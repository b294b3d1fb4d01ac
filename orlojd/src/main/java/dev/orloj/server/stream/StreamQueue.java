package dev.orloj.server.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.server.stream.StreamedWork.Said;
import dev.orloj.server.stream.StreamedWork.Writer;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Queues the events of a stream. When the client reads too slowly it drops the oldest droppable
 * events; when the rest does not fit either, it drops all of them and the stream ends, so that the
 * client sees that something is missing. Thread-safe.
 */
final class StreamQueue<E> {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final BoundedBuffer<Said<E>> said;

    @GuardedBy("lock")
    private boolean overflowed;

    /**
     * @param writer describes its events
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

    /** Returns false when it did not fit, now or before. */
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

    /** The oldest; null when the timeout passes without one. */
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
