package dev.orloj.runtime.transport.http;

import dev.orloj.runtime.oauth.RequestAuthorization;
import dev.orloj.runtime.reading.MessageLimits;
import dev.orloj.runtime.reading.Reading;
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

import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;
import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * Implements the HTTP+SSE transport of revision 2024-11-05 (Transports, "HTTP with SSE"): one event
 * stream carries all messages of the server. Its first event is the address to which the client
 * posts messages. The connection ends with the stream.
 */
public final class SseTransport implements Transport {

    private static final String ENDPOINT = "endpoint";

    private final HttpConnection connection;
    private final HttpEndpoint endpoint;
    private final HttpFailures failures;
    private final MessageReader reader;
    private final MessagePoster poster;
    private final String label;
    private final PendingRequests pending;
    private final CompletableFuture<URI> target = new CompletableFuture<>();
    private final AtomicBoolean lost = new AtomicBoolean();
    private final AtomicBoolean closing = new AtomicBoolean();

    /**
     * @param client shared by all connections
     * @param authorization gives the access tokens that requests carry
     * @param timer aborts exchanges; shared
     */
    public SseTransport(
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
                        this::post);
        this.endpoint = connection.endpoint();
        this.failures = connection.failures();
        this.reader = connection.reader();
        this.pending = connection.pending();
        this.poster = connection.poster();
        this.label = label;
    }

    @Override
    public void open(TransportListener listener) {
        connection.open(listener);
        Thread.ofVirtual().name("orloj-sse-" + label).start(this::readStream);
    }

    @Override
    public JsonNode request(OutgoingRequest outgoing, RequestDeadline deadline)
            throws InterruptedException {
        connection.requireListener();
        awaitTarget(outgoing, deadline);
        return pending.exchange(outgoing, deadline, this::send, poster::sendInBackground);
    }

    private void send(Pending request, byte[] message) {
        Exchange exchange = post(message);
        // Servers may accept a message only when its work is done: the deadline of the request
        // applies, not the timeout of a message.
        request.answer()
                .whenComplete(
                        (answer, failure) -> {
                            if (failure == null) {
                                poster.endSoon(exchange);
                            } else {
                                exchange.abort();
                            }
                        });
        Thread.ofVirtual()
                .name("orloj-http-" + label)
                .start(
                        () -> {
                            try {
                                poster.deliver(exchange.carrying(request));
                            } catch (TransportException e) {
                                request.answer().completeExceptionally(e);
                            }
                        });
    }

    @Override
    public void notify(String method, @Nullable JsonNode params) {
        connection.notify(method, params);
    }

    @Override
    public void negotiated(ProtocolRevision revision) {
        endpoint.use(revision);
    }

    @Override
    public boolean isOpen() {
        return connection.isOpened() && !closing.get() && !pending.ended();
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
            end(new TransportException("Connection to the server was closed", true));
            endpoint.close();
        }
    }

    private Exchange post(byte[] body) {
        connection.sending(body);
        return endpoint.postTo(target.join(), body);
    }

    private void awaitTarget(OutgoingRequest request, RequestDeadline deadline)
            throws InterruptedException {
        try {
            target.get(deadline.nanosLeft(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw deadline.exceeded(request.method());
        } catch (ExecutionException e) {
            pending.requireAlive();
            throw new IllegalStateException("Stream ended without the end of its requests", e);
        }
    }

    private void readStream() {
        try (Exchange exchange = endpoint.get(null)) {
            ClassicHttpResponse response = exchange.execute();
            HttpEntity entity = response.getEntity();
            if (!HttpEndpoint.isSuccess(response)) {
                lost(
                        failures.refusal(
                                response, HttpEndpoint.read(entity, HttpFailures.REFUSAL_BYTES)));
            } else if (entity == null || !MessageReader.isEventStream(entity)) {
                lost(
                        new TransportException(
                                endpoint.display()
                                        + " offers no stream of events: it may want"
                                        + " spec.transport: http",
                                false));
            } else {
                endpoint.affinity().beginSession();
                reader.readEvents(entity.getContent(), exchange::abort, this::received);
                lost(new TransportException("Server closed its stream of events", true));
            }
        } catch (IOException e) {
            lost(failures.of(e));
        } catch (TransportException e) {
            lost(e);
        } catch (RuntimeException | Error e) {
            // Top level of the thread: no request may wait for messages that are not read.
            lost(new TransportException("Reading the stream failed: " + e, true, e));
        }
    }

    private void received(EventReader.Event event, Reading reading) throws IOException {
        if (event.name().equals(EventReader.Event.MESSAGE)) {
            reader.read(event, reading, connection.inbox());
        } else if (event.name().equals(ENDPOINT)) {
            String named = event.text().strip();
            try {
                target.complete(endpoint.resolve(named));
            } catch (IllegalArgumentException e) {
                lost(
                        new TransportException(
                                "Address that "
                                        + endpoint.display()
                                        + " wants messages at is no use: "
                                        + e.getMessage(),
                                false));
            }
        }
    }

    /**
     * Ends the connection. The first cause counts; it aborts everything that is still in progress.
     */
    private void lost(TransportException cause) {
        if (lost.compareAndSet(false, true)) {
            end(cause);
            endpoint.close();
            if (!closing.get()) {
                connection.requireListener().onClosed(cause);
            }
        }
    }

    /** Ends the requests first, so that a request without an address fails with this cause. */
    private void end(TransportException cause) {
        pending.end(cause);
        target.completeExceptionally(cause);
    }
}
