package dev.orloj.runtime.testkit;

import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;
import dev.orloj.runtime.transport.OutgoingRequest;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.runtime.transport.RequestDeadline;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.runtime.transport.ServerRequest;
import dev.orloj.runtime.transport.Transport;
import dev.orloj.runtime.transport.TransportException;
import dev.orloj.runtime.transport.TransportListener;
import dev.orloj.runtime.transport.TransportStats;
import dev.orloj.runtime.workload.ContainerRef;
import dev.orloj.runtime.workload.LogBuffer;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.MissingNode;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;

/** One connection to the scripted server of {@link FakeTransports}. */
public final class FakeTransport implements Transport {

    private final FakeTransports server;
    private final ServerAddress address;
    private final LogBuffer stderr;
    private final @Nullable String image;
    private final List<String> received = new CopyOnWriteArrayList<>();
    private final List<OutgoingRequest> requests = new CopyOnWriteArrayList<>();
    private final List<Duration> timeouts = new CopyOnWriteArrayList<>();

    /** Fails when the connection ends, by itself or by being closed. */
    private final CompletableFuture<JsonNode> end = new CompletableFuture<>();

    private volatile @Nullable TransportListener listener;
    private volatile @Nullable ProtocolRevision version;
    private volatile boolean closed = false;

    FakeTransport(
            FakeTransports server,
            ServerAddress address,
            LogBuffer stderr,
            @Nullable String image) {
        this.image = image;
        this.server = server;
        this.address = address;
        this.stderr = stderr;
    }

    /** The server dies: requests in flight fail with the cause, and the listener is notified. */
    public void die(String cause) {
        TransportException death = new TransportException(cause, true);
        if (end.completeExceptionally(death)) {
            Objects.requireNonNull(listener, "not open").onClosed(death);
        }
    }

    /** The server says something unasked. */
    public void send(String notification) {
        send(notification, null);
    }

    public void send(String notification, @Nullable JsonNode params) {
        Objects.requireNonNull(listener, "not open").onNotification(notification, params);
    }

    /** The server asks its client something; what comes back is its answer. */
    public CompletableFuture<JsonRpcMessage> ask(int id, String method, JsonNode params) {
        CompletableFuture<JsonRpcMessage> answer = new CompletableFuture<>();
        Objects.requireNonNull(listener, "not open")
                .onRequest(
                        new ServerRequest(
                                new Request(
                                        JsonNodeFactory.instance.numberNode(id), method, params),
                                answer::complete));
        return answer;
    }

    public void log(String line) {
        stderr.append(line);
    }

    @Override
    public Optional<ContainerRef> container() {
        String id = image;
        return id == null ? Optional.empty() : Optional.of(new ContainerRef("c1", "c", id));
    }

    @Override
    public int earlierConnections() {
        return server.isAdopted(address) ? 1 : 0;
    }

    public boolean isStarted() {
        return listener != null;
    }

    public boolean isClosed() {
        return closed;
    }

    public ServerAddress address() {
        return address;
    }

    public @Nullable ProtocolRevision negotiatedVersion() {
        return version;
    }

    /** Methods of requests and notifications, in order. */
    public List<String> received() {
        return List.copyOf(received);
    }

    /** Requests as they were written, in order. */
    public List<OutgoingRequest> requests() {
        return List.copyOf(requests);
    }

    /** Timeouts of the requests, in order. */
    public List<Duration> timeouts() {
        return List.copyOf(timeouts);
    }

    @Override
    public void open(TransportListener opened) {
        listener = opened;
    }

    @Override
    public JsonNode request(OutgoingRequest request, RequestDeadline deadline)
            throws InterruptedException {
        if (end.isDone()) {
            throw new TransportException("Connection is closed", false);
        }
        String method = request.method();
        JsonNode params = request.params();
        received.add(method);
        requests.add(request);
        timeouts.add(deadline.exceeded(method).after());
        server.sent(request);
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        JsonNode given = params == null ? MissingNode.getInstance() : params;
        Thread.startVirtualThread(() -> answer(method, given, answer));
        try {
            return (JsonNode) CompletableFuture.anyOf(answer, end).get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private void answer(String method, JsonNode params, CompletableFuture<JsonNode> answer) {
        try {
            answer.complete(server.answer(this, method, params));
        } catch (RuntimeException | InterruptedException e) {
            answer.completeExceptionally(e);
        }
    }

    @Override
    public void notify(String method, @Nullable JsonNode params) {
        received.add(method);
    }

    @Override
    public void negotiated(ProtocolRevision revision) {
        version = revision;
    }

    @Override
    public boolean isOpen() {
        return listener != null && !end.isDone();
    }

    @Override
    public Optional<Long> pid() {
        return isOpen() ? Optional.of(4711L) : Optional.empty();
    }

    @Override
    public TransportStats stats() {
        return TransportStats.NONE;
    }

    @Override
    public void close() {
        end.completeExceptionally(new TransportException("Connection was closed", true));
        closed = true;
    }
}
