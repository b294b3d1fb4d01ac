package dev.orloj.runtime.transport.http;

import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.ErrorResponse;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Response;
import dev.orloj.runtime.reading.MessageLimits;
import dev.orloj.runtime.reading.MessageSize;
import dev.orloj.runtime.trace.CallTracer;
import dev.orloj.runtime.transport.NonProtocolOutput;
import dev.orloj.runtime.transport.OutgoingRequest;
import dev.orloj.runtime.transport.PendingRequests;
import dev.orloj.runtime.transport.PendingRequests.Pending;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.runtime.transport.RequestDeadline;
import dev.orloj.runtime.transport.SafeListener;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.ServerRequests;
import dev.orloj.runtime.transport.Transport;
import dev.orloj.runtime.transport.TransportException;
import dev.orloj.runtime.transport.TransportListener;
import dev.orloj.runtime.transport.TransportStats;
import dev.orloj.runtime.transport.http.HttpEndpoint.Exchange;
import dev.orloj.runtime.workload.LogBuffer;

import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * Implements the Streamable HTTP transport since revision 2025-03-26 (Transports, "Streamable
 * HTTP"): every message is a separate POST, requests to one server run concurrently, and a response
 * is a JSON document or an event stream that ends with the response.
 */
public final class StreamableHttpTransport implements Transport {

    private static final Duration DELETE_TIMEOUT = Duration.ofSeconds(2);

    private final HttpEndpoint endpoint;
    private final ScheduledExecutorService timer;
    private final String label;
    private final PendingRequests pending;
    private final NonProtocolOutput nonProtocolOutput;
    private final MessageReader reader;
    private final RequestExchange.Connection requests;
    private final MessagePoster poster;
    private final LongAdder bytesOut = new LongAdder();
    private final AtomicBoolean negotiated = new AtomicBoolean();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private final CountDownLatch closeBegun = new CountDownLatch(1);
    private volatile @Nullable TransportListener listener;

    /**
     * @param client an HTTP client that neither follows redirects nor repeats requests
     * @param timer aborts exchanges; shared
     */
    public StreamableHttpTransport(
            CloseableHttpClient client,
            ServerAddress.Http address,
            ScheduledExecutorService timer,
            LogBuffer serverLog,
            String label,
            MessageLimits limits) {
        this.endpoint = new HttpEndpoint(client, address);
        HttpFailures failures = new HttpFailures(endpoint);
        this.timer = timer;
        this.label = label;
        this.nonProtocolOutput = new NonProtocolOutput(serverLog);
        this.reader = new MessageReader(limits, nonProtocolOutput);
        this.pending = new PendingRequests(limits.budget());
        this.requests =
                new RequestExchange.Connection(
                        endpoint, failures, reader, timer, this::dispatch, pending::unreadable);
        this.poster =
                new MessagePoster(
                        message -> post(JsonRpcCodec.encode(message), Map.of()),
                        failures,
                        timer,
                        label);
    }

    @Override
    public void open(TransportListener listener) {
        if (this.listener != null) {
            throw new IllegalStateException("Transport of \"" + label + "\" was opened before");
        }
        this.listener = new SafeListener(listener, label);
    }

    @Override
    public JsonNode request(OutgoingRequest outgoing, RequestDeadline deadline)
            throws InterruptedException {
        requireListener();
        Pending request = pending.add(outgoing, deadline);
        JsonNode id = JsonNodeFactory.instance.numberNode(request.id());
        byte[] message = JsonRpcCodec.encode(new Request(id, outgoing.method(), outgoing.params()));
        Exchange exchange = post(message, outgoing.headers());
        request.answer()
                .whenComplete(
                        (answer, failure) -> {
                            if (failure != null) {
                                exchange.abort();
                            }
                        });
        boolean opensSession = outgoing.method().equals(OutgoingRequest.INITIALIZE);
        Thread.ofVirtual()
                .name("orloj-http-" + label)
                .start(new RequestExchange(requests, exchange, request, opensSession));
        try {
            return pending.await(request, this::cancel);
        } finally {
            pending.remove(request);
            request.settle();
            CallTracer.current().exchanged(request.id(), message.length, request.bytesIn());
        }
    }

    @Override
    public void notify(String method, @Nullable JsonNode params) {
        requireListener();
        pending.requireAlive();
        poster.send(new Notification(method, params));
    }

    @Override
    public void negotiated(ProtocolRevision revision) {
        endpoint.use(revision);
        if (!revision.isStateless() && negotiated.compareAndSet(false, true)) {
            ServerMessageStream stream =
                    new ServerMessageStream(
                            endpoint,
                            (events, cursor, abort) ->
                                    reader.readEvents(events, cursor, abort, new StreamInbox()),
                            closeBegun);
            Thread.ofVirtual().name("orloj-http-stream-" + label).start(stream);
        }
    }

    @Override
    public boolean isOpen() {
        return listener != null && !closing.get();
    }

    @Override
    public Optional<Long> pid() {
        return Optional.empty();
    }

    @Override
    public TransportStats stats() {
        return new TransportStats(
                nonProtocolOutput.count(),
                reader.bytes(),
                bytesOut.sum(),
                pending.unknownAnswers());
    }

    @Override
    public void close() {
        if (closing.compareAndSet(false, true)) {
            closeBegun.countDown();
            pending.end(new TransportException("Connection to the server was closed", true));
            endpoint.abortAll();
            // On a separate thread, because an interrupted thread cannot send anything.
            Thread.ofVirtual().name("orloj-http-close-" + label).start(this::leave);
        }
        closed.join();
    }

    private void leave() {
        try {
            if (endpoint.sessionId() != null) {
                deleteSession();
            }
        } finally {
            endpoint.close();
            closed.complete(null);
        }
    }

    private void deleteSession() {
        try (Exchange exchange = endpoint.delete()) {
            exchange.abortAfter(DELETE_TIMEOUT, timer);
            exchange.execute();
        } catch (IOException e) {
            // The server may not allow clients to end sessions (405) or may be gone; neither
            // requires an action.
        }
    }

    private TransportListener requireListener() {
        TransportListener current = listener;
        if (current == null) {
            throw new IllegalStateException("Transport of \"" + label + "\" is not open");
        }
        return current;
    }

    private Exchange post(byte[] message, Map<String, String> headers) {
        bytesOut.add(message.length);
        return endpoint.post(message, headers);
    }

    /**
     * Sends the notification of a cancellation, except in stateless revisions, where the end of the
     * exchange cancels the request.
     */
    private void cancel(Notification notice) {
        if (!endpoint.isStateless()) {
            poster.sendInBackground(notice);
        }
    }

    /** Receives messages of the stream that belongs to no request. */
    private final class StreamInbox implements MessageReader.Inbox {

        @Override
        public void received(JsonRpcMessage message, MessageSize size) {
            dispatch(message, size, null);
        }

        @Override
        public void unreadable(long id, String why) {
            pending.unreadable(id, why);
        }
    }

    private void dispatch(JsonRpcMessage message, MessageSize size, @Nullable Pending current) {
        switch (message) {
            case Response response -> pending.complete(response.id(), response, size);
            case ErrorResponse response -> {
                if (response.id() == null && current != null) {
                    current.answer().complete(response);
                } else {
                    pending.complete(response.id(), response, size);
                }
            }
            case Request request ->
                    ServerRequests.take(
                            request,
                            poster::sendInBackground,
                            current == null ? requireListener()::onRequest : current.asked());
            case Notification notification -> {
                if (current == null || !current.notified(notification)) {
                    requireListener().onNotification(notification.method(), notification.params());
                }
            }
        }
    }
}
