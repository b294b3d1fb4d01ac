package dev.orloj.runtime.transport.http;

import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;
import dev.orloj.runtime.oauth.OAuthException;
import dev.orloj.runtime.oauth.OAuthFailure;
import dev.orloj.runtime.oauth.RequestAuthorization;
import dev.orloj.runtime.reading.MessageLimits;
import dev.orloj.runtime.transport.OutgoingRequest;
import dev.orloj.runtime.transport.PendingRequests;
import dev.orloj.runtime.transport.PendingRequests.Pending;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.runtime.transport.RequestDeadline;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.Transport;
import dev.orloj.runtime.transport.TransportException;
import dev.orloj.runtime.transport.TransportListener;
import dev.orloj.runtime.transport.TransportStats;
import dev.orloj.runtime.transport.http.HttpEndpoint.Exchange;
import dev.orloj.runtime.workload.LogBuffer;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * Implements the Streamable HTTP transport since revision 2025-03-26 (Transports, "Streamable
 * HTTP"): every message is a separate POST, requests to one server run concurrently, and a response
 * is a JSON document or an event stream that ends with the response.
 */
public final class StreamableHttpTransport implements Transport {

    private static final Duration DELETE_TIMEOUT = Duration.ofSeconds(2);

    private final HttpConnection connection;
    private final HttpEndpoint endpoint;
    private final ScheduledExecutorService timer;
    private final String label;
    private final PendingRequests pending;
    private final MessageReader reader;
    private final RequestExchange.Connection requests;
    private final MessagePoster poster;
    private final AtomicBoolean negotiated = new AtomicBoolean();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final AtomicBoolean lost = new AtomicBoolean();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private final CountDownLatch closeBegun = new CountDownLatch(1);

    /**
     * @param client shared by all connections
     * @param authorization gives the access tokens that requests carry
     * @param timer aborts exchanges; shared
     */
    public StreamableHttpTransport(
            EndpointClient client,
            ServerAddress.Http address,
            RequestAuthorization authorization,
            ScheduledExecutorService timer,
            LogBuffer serverLog,
            String label,
            MessageLimits limits) {
        this.connection =
                new HttpConnection(
                        client,
                        address,
                        authorization,
                        timer,
                        serverLog,
                        label,
                        limits,
                        message -> post(message, Map.of()));
        this.endpoint = connection.endpoint();
        this.reader = connection.reader();
        this.pending = connection.pending();
        this.poster = connection.poster();
        this.timer = timer;
        this.label = label;
        this.requests =
                new RequestExchange.Connection(
                        endpoint,
                        connection.failures(),
                        reader,
                        timer,
                        connection::dispatch,
                        pending::unreadable,
                        this::unauthorized);
    }

    @Override
    public void open(TransportListener listener) {
        connection.open(listener);
    }

    @Override
    public JsonNode request(OutgoingRequest outgoing, RequestDeadline deadline)
            throws InterruptedException {
        connection.requireListener();
        return pending.exchange(
                outgoing,
                deadline,
                (request, message) -> send(request, outgoing, message),
                this::cancel);
    }

    private void send(Pending request, OutgoingRequest outgoing, byte[] message) {
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
    }

    /**
     * Ends the session when there is no access token, so that the status of the server shows it.
     * While a session is being opened, the failure of the request does.
     */
    private void unauthorized(TransportException failure, OAuthException cause) {
        boolean isForOneRequest = cause.failure() == OAuthFailure.SCOPE_REFUSED;
        if (!cause.mayPass() && !isForOneRequest && endpoint.isNegotiated()) {
            lost(failure);
        }
    }

    /** Ends the session; the first cause counts. */
    private void lost(TransportException cause) {
        if (!closing.get() && lost.compareAndSet(false, true)) {
            connection.requireListener().onClosed(cause);
        }
    }

    @Override
    public void notify(String method, @Nullable JsonNode params) {
        connection.notify(method, params);
    }

    @Override
    public void negotiated(ProtocolRevision revision) {
        endpoint.use(revision);
        if (!revision.isStateless() && negotiated.compareAndSet(false, true)) {
            ServerMessageStream stream =
                    new ServerMessageStream(
                            endpoint,
                            (events, cursor, abort) ->
                                    reader.readEvents(events, cursor, abort, connection.inbox()),
                            closeBegun,
                            gone -> lost(connection.failures().of(gone)));
            Thread.ofVirtual().name("orloj-http-stream-" + label).start(stream);
        }
    }

    @Override
    public boolean isOpen() {
        return connection.isOpened() && !closing.get();
    }

    @Override
    public Optional<Long> pid() {
        return Optional.empty();
    }

    @Override
    public Optional<X509Certificate> certificate() {
        return endpoint.certificate().latest();
    }

    @Override
    public void requireCertificate(Predicate<X509Certificate> accepted) {
        endpoint.certificate().require(accepted);
    }

    @Override
    public TransportStats stats() {
        return connection.stats();
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

    private Exchange post(byte[] message, Map<String, String> headers) {
        connection.sending(message);
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
}
