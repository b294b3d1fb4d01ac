package dev.orloj.server.mcp;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;
import dev.orloj.server.mcp.elicitation.ServerToClientStream;
import dev.orloj.server.mcp.protocol.EventStream;
import dev.orloj.server.mcp.resumption.EventId;
import dev.orloj.server.mcp.resumption.RecordedStream;
import dev.orloj.server.mcp.resumption.Resumption;
import dev.orloj.server.mcp.resumption.StreamKind;
import dev.orloj.server.mcp.subscriptions.DroppableNotifications;
import dev.orloj.server.stream.BoundedBuffer;

import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes the response to one request. Most responses are one JSON document. The response becomes an
 * event stream when a message has to precede the result, or when the result takes long, so that no
 * client or proxy gives up the connection.
 *
 * <p>The thread of the request computes and ends the response. Other messages may come from any
 * thread; a thread of their own writes them, so that a slow client delays only itself.
 */
final class StreamableHttpResponse implements ServerToClientStream, AutoCloseable {

    /** Short enough to keep the connection open through clients and common proxies. */
    private static final Duration BEAT = Duration.ofSeconds(10);

    /** A queued message, encoded so that the size of the queue is known. */
    private record QueuedMessage(byte[] content, boolean droppable) {

        static final BoundedBuffer.Weights<QueuedMessage> WEIGHTS =
                new BoundedBuffer.Weights<>() {

                    @Override
                    public boolean isDroppable(QueuedMessage each) {
                        return each.droppable();
                    }

                    @Override
                    public long bytes(QueuedMessage each) {
                        return each.content().length;
                    }
                };
    }

    private final HttpServletResponse response;
    private final EventStream stream;
    private final OpenResponses open;
    private final Optional<Resumption> resumption;

    /** What is sent, for an agent that comes back; null while there is no stream, or never. */
    private volatile @Nullable RecordedStream record;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final BoundedBuffer<QueuedMessage> queued = new BoundedBuffer<>(QueuedMessage.WEIGHTS);

    /** Awaited responses of the client; completed ones may remain, which has no effect. */
    @GuardedBy("lock")
    private final List<CompletableFuture<JsonRpcMessage>> questions = new ArrayList<>();

    @GuardedBy("lock")
    private boolean streaming;

    @GuardedBy("lock")
    private boolean ending;

    /** Whether the message writer may still use the response. */
    @GuardedBy("lock")
    private boolean writing;

    @GuardedBy("lock")
    private boolean gone;

    /**
     * @param resumption empty when the agent cannot resume a stream
     */
    StreamableHttpResponse(
            HttpServletResponse response, OpenResponses open, Optional<Resumption> resumption) {
        this.response = response;
        this.resumption = resumption;
        this.stream = new EventStream(response);
        this.open = open;
        open.add(this);
    }

    @Override
    public void ask(Request request, CompletableFuture<JsonRpcMessage> answer) {
        lock.lock();
        try {
            if (gone) {
                answer.completeExceptionally(new IOException("The client is gone"));
                return;
            }
            questions.add(answer);
        } finally {
            lock.unlock();
        }
        send(request);
    }

    @Override
    public void send(JsonRpcMessage message) {
        QueuedMessage next =
                new QueuedMessage(
                        JsonRpcCodec.encode(message), DroppableNotifications.canBeMissed(message));
        lock.lock();
        try {
            if (gone) {
                return;
            }
            if (!queued.add(next)) {
                // Without a message the writer would wait for ever: this one makes it see the end.
                queued.clear();
                leave();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        startStream();
    }

    /** Makes the response an event stream; does nothing when it is one already or has ended. */
    void startStream() {
        lock.lock();
        try {
            if (streaming || ending) {
                return;
            }
            streaming = true;
            writing = true;
            record = resumption.map(r -> r.open(StreamKind.POST, this, this::leave)).orElse(null);
        } finally {
            lock.unlock();
        }
        Thread.ofVirtual().name("orloj-mcp-answer").start(this::writeMessages);
    }

    /** Runs until the response ends, or the client reads too slowly. */
    private void writeMessages() {
        try {
            toConnection(this::openStream);
            while (awaitMessages()) {
                writePending();
            }
        } catch (IOException e) {
            leave();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.lock();
            try {
                writing = false;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private void openStream() throws IOException {
        stream.open();
        RecordedStream recorded = record;
        if (recorded != null && resumption.filter(Resumption::primes).isPresent()) {
            stream.prime(recorded.beginning());
            stream.flush();
        }
    }

    /** Something that is written. */
    private interface Writing {
        void run() throws IOException;
    }

    /**
     * Writes to the connection of this request. When an agent may come back for the stream, it is
     * no error that the connection is lost, or that another one carries the stream.
     */
    private void toConnection(Writing writing) throws IOException {
        RecordedStream recorded = record;
        if (recorded == null) {
            writing.run();
            return;
        }
        if (recorded.isHeldBy(this)) {
            try {
                writing.run();
            } catch (IOException e) {
                recorded.release(this);
            }
        }
    }

    private void write(byte[] content, boolean droppable) throws IOException {
        RecordedStream recorded = record;
        if (recorded == null) {
            stream.write(content);
        } else {
            EventId id = recorded.append(content, droppable);
            toConnection(() -> stream.write(id, content));
        }
    }

    /** Returns false when the thread of the request has to write the rest. */
    private boolean awaitMessages() throws InterruptedException, IOException {
        while (true) {
            boolean silent;
            lock.lock();
            try {
                silent = false;
                while (queued.isEmpty() && !ending && !gone && !silent) {
                    silent = !changed.await(BEAT.toNanos(), TimeUnit.NANOSECONDS);
                }
                if (ending || gone) {
                    return false;
                }
            } finally {
                lock.unlock();
            }
            if (!silent) {
                return true;
            }
            toConnection(stream::beat);
        }
    }

    private void writePending() throws IOException {
        List<QueuedMessage> pending;
        lock.lock();
        try {
            pending = queued.takeAll();
        } finally {
            lock.unlock();
        }
        for (QueuedMessage each : pending) {
            write(each.content(), each.droppable());
        }
        toConnection(stream::flush);
    }

    private void leave() {
        lock.lock();
        try {
            gone = true;
            questions.forEach(
                    answer -> answer.completeExceptionally(new IOException("The client is gone")));
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends the response.
     *
     * @param status of HTTP, unless the response is a stream already
     */
    void end(int status, JsonRpcMessage message) throws IOException {
        if (endMessages()) {
            writePending();
            write(JsonRpcCodec.encode(message), false);
            toConnection(stream::flush);
        } else if (!isGone()) {
            byte[] bytes = JsonRpcCodec.encode(message);
            response.setStatus(status);
            response.setContentType("application/json");
            response.setContentLength(bytes.length);
            response.getOutputStream().write(bytes);
        }
    }

    /** Ends a request that needs no response any more. */
    void endWithout() throws IOException {
        if (!endMessages() && !isGone()) {
            stream.open();
        }
    }

    private boolean isGone() {
        lock.lock();
        try {
            return gone;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns when no other thread writes; true when the response is a stream to a client that is
     * still there.
     */
    private boolean endMessages() {
        lock.lock();
        try {
            if (!ending) {
                ending = true;
                open.remove(this);
                changed.signalAll();
            }
            while (writing) {
                changed.awaitUninterruptibly();
            }
            return streaming && !gone;
        } finally {
            lock.unlock();
        }
    }

    /** Ensures that no thread writes into the response after this, whatever failed. */
    @Override
    public void close() {
        endMessages();
        RecordedStream recorded = record;
        if (recorded != null) {
            recorded.end();
        }
    }
}
