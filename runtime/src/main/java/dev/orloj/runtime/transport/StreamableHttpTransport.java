package dev.orloj.runtime.transport;

import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.ErrorResponse;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Response;
import dev.orloj.runtime.jsonrpc.MalformedMessageException;
import dev.orloj.runtime.transport.HttpEndpoint.Exchange;
import dev.orloj.runtime.transport.PendingRequests.Pending;
import dev.orloj.runtime.workload.LogBuffer;

import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * The Streamable HTTP transport of revisions 2025-03-26 to 2025-11-25 (Transports, "Streamable
 * HTTP"): every message is a POST of its own, requests of one server run side by side, and an
 * answer is a JSON document or a stream of events that ends with it.
 */
public final class StreamableHttpTransport implements Transport {

    private static final Logger log = LoggerFactory.getLogger(StreamableHttpTransport.class);
    private static final Duration NOTIFY_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration DELETE_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration RESUME_PAUSE = Duration.ofSeconds(1);
    private static final int MAX_RESUMES = 10;

    /**
     * After its answer a stream should end; the connection is kept for the next request if it does.
     */
    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(1);

    private static final int REFUSAL_BYTES = 16 * 1024;

    private final HttpEndpoint endpoint;
    private final HttpFailures failures;
    private final ScheduledExecutorService timer;
    private final String label;
    private final int maxMessageBytes;
    private final PendingRequests pending = new PendingRequests();
    private final NoiseLog noise;
    private final LongAdder bytesIn = new LongAdder();
    private final LongAdder bytesOut = new LongAdder();
    private final AtomicBoolean negotiated = new AtomicBoolean();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private final CountDownLatch closeBegun = new CountDownLatch(1);
    private volatile @Nullable TransportListener listener;

    /**
     * @param client does not follow redirects and does not repeat requests by itself
     * @param timer aborts exchanges; shared
     * @param maxMessageBytes longest message accepted
     */
    StreamableHttpTransport(
            CloseableHttpClient client,
            ServerAddress.Http address,
            ScheduledExecutorService timer,
            LogBuffer serverLog,
            String label,
            int maxMessageBytes) {
        this.endpoint = new HttpEndpoint(client, address);
        this.failures = new HttpFailures(endpoint);
        this.timer = timer;
        this.label = label;
        this.maxMessageBytes = maxMessageBytes;
        this.noise = new NoiseLog(serverLog);
    }

    @Override
    public void open(TransportListener listener) {
        if (this.listener != null) {
            throw new IllegalStateException("Transport of \"" + label + "\" was opened before");
        }
        this.listener = new SafeListener(listener, label);
    }

    @Override
    public JsonNode request(String method, @Nullable JsonNode params, RequestDeadline deadline)
            throws InterruptedException {
        requireListener();
        Pending request = pending.add();
        JsonNode id = JsonNodeFactory.instance.numberNode(request.id());
        Exchange exchange = post(new Request(id, method, params));
        request.answer()
                .whenComplete(
                        (answer, failure) -> {
                            if (failure != null) {
                                exchange.abort();
                            }
                        });
        boolean initialize = method.equals("initialize");
        Thread.ofVirtual()
                .name("orloj-http-" + label)
                .start(() -> perform(exchange, request, initialize));
        try {
            return pending.await(request, method, deadline, this::sendInBackground);
        } finally {
            pending.remove(request);
            request.answer().cancel(false);
        }
    }

    @Override
    public void notify(String method, @Nullable JsonNode params) {
        requireListener();
        pending.requireAlive();
        try {
            deliver(new Notification(method, params));
        } catch (IOException e) {
            throw failures.of(e);
        }
    }

    @Override
    public void negotiated(String protocolVersion) {
        endpoint.useProtocolVersion(protocolVersion);
        if (negotiated.compareAndSet(false, true)) {
            ServerMessageStream stream =
                    new ServerMessageStream(
                            endpoint,
                            (events, cursor) -> readEvents(events, cursor, null),
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
                noise.count(), bytesIn.sum(), bytesOut.sum(), pending.unknownAnswers());
    }

    @Override
    public void close() {
        if (closing.compareAndSet(false, true)) {
            closeBegun.countDown();
            pending.end(new TransportException("Connection to the server was closed", true));
            endpoint.abortAll();
            // On a thread of its own, for an interrupted one can send nothing.
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
            // Servers may keep their sessions to themselves (405), or be gone; there is nothing to
            // do about it.
        }
    }

    private TransportListener requireListener() {
        TransportListener current = listener;
        if (current == null) {
            throw new IllegalStateException("Transport of \"" + label + "\" is not open");
        }
        return current;
    }

    private Exchange post(JsonRpcMessage message) {
        byte[] body = JsonRpcCodec.encode(message);
        bytesOut.add(body.length);
        return endpoint.post(body);
    }

    /** Ends with the answer given to {@code request}, or its failure, whatever happens. */
    private void perform(Exchange exchange, Pending request, boolean initialize) {
        try (exchange) {
            request.sent(0);
            ClassicHttpResponse response = exchange.execute();
            if (initialize && HttpEndpoint.isSuccess(response)) {
                useSessionOf(response);
            }
            EventReader.Cursor cursor = new EventReader.Cursor();
            readResumable(exchange, response, request, cursor);
            resume(request, cursor);
            if (!request.answer().isDone()) {
                throw new TransportException(
                        "The stream of " + endpoint.display() + " ended before the answer", true);
            }
        } catch (IOException e) {
            fail(request, failures.of(e));
        } catch (TransportException e) {
            fail(request, e);
        } catch (RuntimeException e) {
            // The caller waits on another thread and has to learn of it, whatever it is.
            fail(request, new TransportException("Exchange failed: " + e, true, e));
        }
    }

    private static void fail(Pending request, TransportException cause) {
        request.answer().completeExceptionally(cause);
    }

    private void useSessionOf(ClassicHttpResponse response) {
        Header header = response.getFirstHeader(HttpEndpoint.SESSION_ID);
        if (header == null) {
            return;
        }
        if (!header.getValue().chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new TransportException(
                    "Session id of " + endpoint.display() + " is not visible ASCII", true);
        }
        endpoint.useSession(header.getValue());
    }

    private void readAnswer(
            Exchange exchange,
            ClassicHttpResponse response,
            Pending request,
            EventReader.Cursor cursor)
            throws IOException {
        HttpEntity entity = response.getEntity();
        if (!HttpEndpoint.isSuccess(response)) {
            refused(response, request);
        } else if (entity == null) {
            throw new TransportException(
                    "HTTP "
                            + response.getCode()
                            + " from "
                            + endpoint.display()
                            + " without an answer",
                    true);
        } else if (ServerMessageStream.isEventStream(entity)) {
            request.answer().thenRun(() -> exchange.abortAfter(DRAIN_TIMEOUT, timer));
            readEvents(entity.getContent(), cursor, request);
        } else {
            readDocument(entity, request);
        }
    }

    private void refused(ClassicHttpResponse response, Pending request) throws IOException {
        byte[] body = HttpEndpoint.read(response.getEntity(), REFUSAL_BYTES);
        Optional<ErrorResponse> error =
                HttpFailures.error(body)
                        .filter(e -> e.id() != null && e.id().longValue(0) == request.id());
        if (error.isPresent()) {
            dispatch(error.get(), request);
        } else {
            throw failures.refusal(response, body);
        }
    }

    /** Whatever its content type says, a document that is a message is taken as one. */
    private void readDocument(HttpEntity entity, Pending request) throws IOException {
        byte[] body = HttpEndpoint.read(entity, maxMessageBytes + 1);
        bytesIn.add(body.length);
        if (body.length > maxMessageBytes) {
            throw new AnswerTooLongException(maxMessageBytes);
        }
        try {
            JsonRpcCodec.decode(body, 0, body.length)
                    .messages()
                    .forEach(message -> dispatch(message, request));
        } catch (MalformedMessageException e) {
            String type = entity.getContentType();
            throw failures.unusable(type == null ? "" : type, body);
        }
        if (!request.answer().isDone()) {
            throw new TransportException(
                    "Answer of " + endpoint.display() + " belongs to another request", true);
        }
    }

    private void readEvents(InputStream in, EventReader.Cursor cursor, @Nullable Pending request)
            throws IOException {
        EventReader events = new EventReader(in, maxMessageBytes, cursor);
        for (byte[] data = events.next(); data != null; data = events.next()) {
            bytesIn.add(data.length);
            try {
                JsonRpcCodec.decode(data, 0, data.length)
                        .messages()
                        .forEach(message -> dispatch(message, request));
            } catch (MalformedMessageException e) {
                noise.line(data, 0, data.length, String.valueOf(e.getMessage()));
            }
        }
    }

    /** Reads until the stream ends or breaks, which does no harm to one that can be resumed. */
    private void readResumable(
            Exchange exchange,
            ClassicHttpResponse response,
            Pending request,
            EventReader.Cursor cursor)
            throws IOException {
        try {
            readAnswer(exchange, response, request, cursor);
        } catch (AnswerTooLongException e) {
            throw e;
        } catch (IOException e) {
            if (cursor.lastEventId() == null) {
                throw e;
            }
        }
    }

    /** A server may end the stream of a long call early and have it fetched later (2025-11-25). */
    private void resume(Pending request, EventReader.Cursor cursor) throws IOException {
        for (int i = 0; i < MAX_RESUMES && cursor.lastEventId() != null; i++) {
            if (request.isDoneWithin(cursor.retryOr(RESUME_PAUSE))) {
                return;
            }
            try (Exchange exchange = endpoint.get(cursor.lastEventId())) {
                request.answer().whenComplete((answer, failure) -> exchange.abort());
                readAnswer(exchange, exchange.execute(), request, cursor);
            } catch (AnswerTooLongException e) {
                throw e;
            } catch (IOException e) {
                log.atDebug()
                        .addKeyValue("server", label)
                        .addKeyValue("error", e.getMessage())
                        .log("Stream of an answer broke off again");
            } catch (TransportException e) {
                // Whatever became of the stream, the request itself was received long ago.
                throw new TransportException(String.valueOf(e.getMessage()), true, e);
            }
        }
    }

    private void dispatch(JsonRpcMessage message, @Nullable Pending current) {
        switch (message) {
            case Response response -> pending.complete(response.id(), response);
            case ErrorResponse response -> {
                if (response.id() == null && current != null) {
                    current.answer().complete(response);
                } else {
                    pending.complete(response.id(), response);
                }
            }
            case Request request -> sendInBackground(ServerRequests.answer(request));
            case Notification(String method, JsonNode params) ->
                    requireListener().onNotification(method, params);
        }
    }

    /** For messages whose loss is the server's loss only. */
    private void sendInBackground(JsonRpcMessage message) {
        Thread.ofVirtual()
                .name("orloj-http-" + label)
                .start(
                        () -> {
                            try {
                                deliver(message);
                            } catch (IOException | TransportException e) {
                                log.atDebug()
                                        .addKeyValue("server", label)
                                        .addKeyValue("error", e.getMessage())
                                        .log("Message to the server was not accepted");
                            }
                        });
    }

    /** Sends a message that has no answer, and waits until the server has accepted it. */
    private void deliver(JsonRpcMessage message) throws IOException {
        try (Exchange exchange = post(message)) {
            exchange.abortAfter(NOTIFY_TIMEOUT, timer);
            ClassicHttpResponse response = exchange.execute();
            if (!HttpEndpoint.isSuccess(response)) {
                throw failures.refusal(
                        response, HttpEndpoint.read(response.getEntity(), REFUSAL_BYTES));
            }
        }
    }
}
