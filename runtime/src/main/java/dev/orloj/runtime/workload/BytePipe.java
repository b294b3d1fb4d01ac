package dev.orloj.runtime.workload;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A bounded pipe from one thread to another. The writer waits for the reader when the pipe is full,
 * so that a workload that floods its output does not fill the memory of orlojd. Thread-safe.
 *
 * <p>The JDK's pipes are not used because they poll once a second and are bound to the threads that
 * used them last.
 */
public final class BytePipe {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final byte[] ring;

    @GuardedBy("lock")
    private int first = 0;

    @GuardedBy("lock")
    private int filled = 0;

    @GuardedBy("lock")
    private boolean ended = false;

    @GuardedBy("lock")
    private boolean abandoned = false;

    private final OutputStream out = new Writer();
    private final InputStream in = new Reader();

    public BytePipe(int capacity) {
        this.ring = new byte[capacity];
    }

    /**
     * Returns the end for writing. Writing waits while the pipe is full; {@code close} is {@link
     * #end}.
     */
    public OutputStream out() {
        return out;
    }

    /**
     * Returns the end for reading. Reading waits while the pipe is empty; {@code close} is {@link
     * #abandon}.
     */
    public InputStream in() {
        return in;
    }

    /** Ends the stream: the reader gets the remaining bytes and then the end; writing fails. */
    public void end() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Closes the pipe for the reader: writing fails, also for a writer that already waits. */
    public void abandon() {
        lock.lock();
        try {
            abandoned = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private final class Writer extends OutputStream {

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            lock.lock();
            try {
                int done = 0;
                while (done < length) {
                    awaitRoom();
                    done += put(bytes, offset + done, length - done);
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            end();
        }
    }

    private final class Reader extends InputStream {

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            lock.lock();
            try {
                while (filled == 0 && !ended && !abandoned) {
                    await();
                }
                return filled == 0 ? -1 : take(bytes, offset, length);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            abandon();
        }
    }

    @GuardedBy("lock")
    private void awaitRoom() throws IOException {
        while (filled == ring.length && !ended && !abandoned) {
            await();
        }
        if (ended || abandoned) {
            throw new IOException("The reader is closed");
        }
    }

    @GuardedBy("lock")
    private int put(byte[] bytes, int offset, int length) {
        int end = (first + filled) % ring.length;
        int count = Math.min(length, Math.min(ring.length - filled, ring.length - end));
        System.arraycopy(bytes, offset, ring, end, count);
        filled += count;
        changed.signalAll();
        return count;
    }

    @GuardedBy("lock")
    private int take(byte[] bytes, int offset, int length) {
        int count = Math.min(length, Math.min(filled, ring.length - first));
        System.arraycopy(ring, first, bytes, offset, count);
        first = (first + count) % ring.length;
        filled -= count;
        changed.signalAll();
        return count;
    }

    @GuardedBy("lock")
    private void await() throws InterruptedIOException {
        try {
            changed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted");
        }
    }
}
