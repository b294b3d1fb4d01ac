package dev.orloj.runtime.transport.stdio;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.runtime.transport.PendingRequests.Pending;
import dev.orloj.runtime.transport.TransportException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Writes messages to the stdin of a server in the order in which they are sent. Never blocks the
 * sender, even if the server does not read. Thread-safe.
 *
 * <p>The sender writes directly as long as the bytes that the server may not have read yet fit into
 * the smallest pipe: such a write cannot block. All other messages are queued for a platform
 * thread, which starts on first use. A server reads in order, so its response to a request proves
 * that it has read everything before that request.
 */
final class StdinWriter {

    /** A pipe holds at least one page, even for a user who has too many pipes. */
    static final int UNREAD_LIMIT = 4 * 1024;

    /** Maximum number of bytes that are queued for a server that does not read. */
    static final long QUEUE_LIMIT = 16L * 1024 * 1024;

    private record Item(byte[] message, @Nullable Pending request) {}

    private final OutputStream out;
    private final String threadName;
    private final Consumer<Throwable> onBroken;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final Deque<Item> queue = new ArrayDeque<>();

    @GuardedBy("lock")
    private long queuedBytes = 0;

    @GuardedBy("lock")
    private boolean threadStarted = false;

    @GuardedBy("lock")
    private boolean threadWriting = false;

    @GuardedBy("lock")
    private boolean closed = false;

    @GuardedBy("lock")
    private long written = 0;

    @GuardedBy("lock")
    private long read = 0;

    /**
     * @param onBroken called once when writing fails; must return at once
     */
    StdinWriter(OutputStream out, String threadName, Consumer<Throwable> onBroken) {
        this.out = out;
        this.threadName = threadName;
        this.onBroken = onBroken;
    }

    /**
     * Writes or queues a message.
     *
     * @param request the request that the message belongs to, to be marked as delivered
     * @throws TransportException when the queue is full
     */
    void send(byte[] message, @Nullable Pending request) {
        IOException failure = null;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            Item item = new Item(message, request);
            if (mayWriteHere(message.length + 1)) {
                written += message.length + 1;
                write(item, written);
                out.flush();
            } else {
                enqueue(item);
            }
        } catch (IOException e) {
            closed = true;
            failure = e;
        } finally {
            lock.unlock();
        }
        if (failure != null) {
            onBroken.accept(failure);
        }
    }

    /**
     * Records that the server has answered this request, and so has read it and everything before
     * it.
     */
    void answered(Pending request) {
        lock.lock();
        try {
            read = Math.max(read, request.endOffset());
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of bytes written to the server so far. */
    long written() {
        lock.lock();
        try {
            return written;
        } finally {
            lock.unlock();
        }
    }

    /** Drops the queue and accepts no more messages. A blocked write ends with the server. */
    void close() {
        lock.lock();
        try {
            closed = true;
            queue.clear();
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private boolean mayWriteHere(int length) {
        return !threadWriting && queue.isEmpty() && written - read + length <= UNREAD_LIMIT;
    }

    @GuardedBy("lock")
    private void enqueue(Item item) {
        if (queuedBytes + item.message().length > QUEUE_LIMIT && !queue.isEmpty()) {
            throw new TransportException(
                    "Server does not read its standard input: "
                            + queuedBytes
                            + " bytes wait for it",
                    false);
        }
        queue.add(item);
        queuedBytes += item.message().length;
        if (!threadStarted) {
            threadStarted = true;
            Thread.ofPlatform().daemon().name(threadName).start(this::writeQueued);
        }
        changed.signal();
    }

    private void writeQueued() {
        try {
            for (Deque<Item> batch = nextBatch(); !batch.isEmpty(); batch = nextBatch()) {
                for (Item item : batch) {
                    write(item, claim(item));
                }
                out.flush();
            }
        } catch (Throwable e) { // top level of the thread: no sender may keep waiting for it
            close();
            onBroken.accept(e);
        }
    }

    /** Waits for messages and takes them all; returns none once closed. */
    private Deque<Item> nextBatch() {
        lock.lock();
        try {
            threadWriting = false;
            while (queue.isEmpty() && !closed) {
                changed.awaitUninterruptibly();
            }
            Deque<Item> batch = new ArrayDeque<>(queue);
            queue.clear();
            queuedBytes = 0;
            threadWriting = true;
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private long claim(Item item) {
        lock.lock();
        try {
            written += item.message().length + 1;
            return written;
        } finally {
            lock.unlock();
        }
    }

    private void write(Item item, long endOffset) throws IOException {
        Pending request = item.request();
        if (request != null && !request.beginSending(endOffset)) {
            return; // It failed as not sent, and its sender may have repeated it.
        }
        out.write(item.message());
        out.write('\n');
    }
}
