package dev.orloj.runtime.transport;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.ErrorResponse;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Response;
import dev.orloj.runtime.reading.AnswerScope;
import dev.orloj.runtime.reading.HeldAnswer;
import dev.orloj.runtime.reading.MessageSize;
import dev.orloj.runtime.reading.ReadBudget;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The pending requests of one connection, by id. Thread-safe. */
public final class PendingRequests {

    /**
     * One request. It completes with a response, an error response, or the failure of the
     * connection.
     */
    public static final class Pending {

        private enum Sending {
            NOT_BEGUN,
            BEGUN,
            NEVER
        }

        private final long id;
        private final OutgoingRequest request;
        private final RequestDeadline deadline;
        private final CompletableFuture<JsonRpcMessage> answer = new CompletableFuture<>();
        private final AtomicReference<Sending> sending = new AtomicReference<>(Sending.NOT_BEGUN);
        private volatile long endOffset = 0;
        private final AtomicLong bytesIn = new AtomicLong();
        private volatile @Nullable HeldAnswer held;

        private Pending(long id, OutgoingRequest request, RequestDeadline deadline) {
            this.id = id;
            this.request = request;
            this.deadline = deadline;
        }

        public long id() {
            return id;
        }

        /** Receives requests of the server during this request. */
        public Consumer<ServerRequest> asked() {
            return request.asked();
        }

        /** Offers a notification that the server sent during this request. */
        public boolean notified(Notification notification) {
            return request.notified().test(notification);
        }

        public CompletableFuture<JsonRpcMessage> answer() {
            return answer;
        }

        RequestDeadline deadline() {
            return deadline;
        }

        /** Fails the request: its deadline is over. */
        void expire() {
            answer.completeExceptionally(new TimeoutException());
        }

        /** Whether a byte of the request may have reached the server. */
        public boolean delivered() {
            return sending.get() == Sending.BEGUN;
        }

        /**
         * Has to be called before the first byte is sent. Returns false if the request must not be
         * sent, because it has failed as one that the server did not receive.
         */
        public boolean beginSending() {
            return sending.compareAndSet(Sending.NOT_BEGUN, Sending.BEGUN) || delivered();
        }

        /** Returns whether the request is not delivered, and ensures that it never will be. */
        private boolean neverSent() {
            return sending.compareAndSet(Sending.NOT_BEGUN, Sending.NEVER);
        }

        /**
         * Does the same as {@link #beginSending()}, for a request that is a part of a stream.
         *
         * @param endOffset end of the request in the stream of all sent bytes
         */
        public boolean beginSending(long endOffset) {
            this.endOffset = endOffset;
            return beginSending();
        }

        /** Counts received bytes: of the response, or of a message that belongs to the request. */
        public void received(int bytes) {
            bytesIn.addAndGet(bytes);
        }

        public long bytesIn() {
            return bytesIn.get();
        }

        /** Completes the request, unless its deadline is over. */
        private void answer(JsonRpcMessage message, HeldAnswer memory) {
            held = memory;
            if (!answer.complete(message)) {
                memory.close();
            }
        }

        /** Releases the response; a caller that has it keeps it until its own work is done. */
        private void settle() {
            answer.cancel(false);
            HeldAnswer memory = held;
            if (memory != null) {
                AnswerScope.add(memory);
            }
        }

        public long endOffset() {
            return endOffset;
        }

        /** Waits for the response or the failure without taking it. */
        public boolean isDoneWithin(Duration timeout) {
            return answer.handle((message, failure) -> true)
                    .completeOnTimeout(false, timeout.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        }
    }

    private final RequestNumbers numbers = new RequestNumbers();
    private final ConcurrentHashMap<Long, Pending> byId = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable TransportException> end = new AtomicReference<>();
    private final LongAdder unknown = new LongAdder();
    private final DeadlineTimer watch = new DeadlineTimer(byId.values());

    private final ReadBudget budget;

    /**
     * @param budget limits the memory of responses
     */
    public PendingRequests(ReadBudget budget) {
        this.budget = budget;
    }

    /** Excludes the ids of earlier connections to the same program. Called before any request. */
    public void startAfter(int connections) {
        numbers.startAfter(connections);
    }

    /**
     * @throws TransportException when the connection has ended
     */
    public Pending add(OutgoingRequest request, RequestDeadline deadline) {
        Pending pending;
        do {
            pending = new Pending(numbers.next(), request, deadline);
        } while (byId.putIfAbsent(pending.id(), pending) != null);
        // Checked after the put: either this sees the end, or the end sees the request.
        if (ended()) {
            byId.remove(pending.id());
            requireAlive();
        }
        watch.added(pending);
        return pending;
    }

    /**
     * @throws TransportException when the connection has ended
     */
    public void requireAlive() {
        TransportException cause = end.get();
        if (cause != null) {
            throw new TransportException(String.valueOf(cause.getMessage()), false, cause);
        }
    }

    /**
     * Sends a request and waits for its response.
     *
     * @param sender sends the encoded request without waiting
     * @param canceller sends the cancellation without waiting
     * @return the result
     */
    public JsonNode exchange(
            OutgoingRequest outgoing,
            RequestDeadline deadline,
            BiConsumer<Pending, byte[]> sender,
            Consumer<Notification> canceller)
            throws InterruptedException {
        Pending request = add(outgoing, deadline);
        int bytesOut = 0;
        try {
            JsonNode id = Json.MAPPER.getNodeFactory().numberNode(request.id());
            byte[] message =
                    JsonRpcCodec.encode(new Request(id, outgoing.method(), outgoing.params()));
            bytesOut = message.length;
            sender.accept(request, message);
            return result(request.answer().get());
        } catch (ExecutionException e) {
            throw switch (e.getCause()) {
                case TransportException failure -> failure;
                case TimeoutException _ -> {
                    cancel(request, "Timed out", canceller);
                    yield request.deadline().exceeded(request.request.method());
                }
                case null, default ->
                        new IllegalStateException(
                                "Request failed for no reason of the connection", e);
            };
        } catch (InterruptedException e) {
            cancel(request, "Cancelled by the caller", canceller);
            throw e;
        } finally {
            remove(request);
            request.settle();
            request.request.traffic().exchanged(request.id(), bytesOut, request.bytesIn());
        }
    }

    private void cancel(Pending request, String reason, Consumer<Notification> canceller) {
        remove(request);
        if (request.request.isCancellable() && !ended()) {
            ObjectNode params = Json.MAPPER.createObjectNode();
            params.put("requestId", request.id()).put("reason", reason);
            canceller.accept(new Notification("notifications/cancelled", params));
        }
    }

    private static JsonNode result(JsonRpcMessage answer) {
        return switch (answer) {
            case Response response -> response.result();
            case ErrorResponse response -> throw new JsonRpcException(response.error());
            case Request request -> throw new IllegalStateException("Not an answer: " + request);
            case Notification other -> throw new IllegalStateException("Not an answer: " + other);
        };
    }

    private void remove(Pending pending) {
        byId.remove(pending.id());
    }

    /**
     * Completes a pending request and counts the bytes of its response; returns null, and counts
     * the response as unknown, when there is no such request.
     */
    @Nullable
    public Pending complete(@Nullable JsonNode id, JsonRpcMessage answer, MessageSize size) {
        OptionalLong number = RequestNumbers.sentBack(id);
        Pending pending = number.isPresent() ? byId.remove(number.getAsLong()) : null;
        if (pending == null) {
            unknown.increment();
            return null;
        }
        pending.received(size.bytes()); // before the caller, which reads the number, goes on
        budget.hold(size)
                .ifPresentOrElse(
                        memory -> pending.answer(answer, memory),
                        () -> pending.answer().completeExceptionally(noRoom(size)));
        return pending;
    }

    private TransportException noRoom(MessageSize size) {
        return new TransportException(
                "The answer of %d bytes was dropped: answers that clients have not read yet take %d of %d bytes (a half of orloj.messages.memory); call again later"
                        .formatted(size.bytes(), budget.held(), budget.mostHeld()),
                true);
    }

    /**
     * Fails a request whose response cannot be read; returns null when there is no such request.
     */
    @Nullable
    public Pending unreadable(long id, String why) {
        Pending pending = byId.remove(id);
        if (pending != null) {
            pending.answer()
                    .completeExceptionally(
                            new TransportException(
                                    "The answer of the server cannot be read: " + why, true));
        }
        return pending;
    }

    /** Fails all pending and future requests; only the first call has an effect. */
    public void end(TransportException cause) {
        if (end.compareAndSet(null, cause)) {
            watch.stop();
            String message = String.valueOf(cause.getMessage());
            byId.values()
                    .forEach(
                            pending ->
                                    pending.answer()
                                            .completeExceptionally(
                                                    new TransportException(
                                                            message, !pending.neverSent(), cause)));
        }
    }

    public boolean ended() {
        return end.get() != null;
    }

    public long unknownAnswers() {
        return unknown.sum();
    }
}
