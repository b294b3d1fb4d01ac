package dev.orloj.runtime.client;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.client.SessionPolicy.HealthProbe;
import dev.orloj.runtime.clock.Scheduler;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.transport.OutgoingRequest;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.runtime.transport.RequestDeadline;
import dev.orloj.runtime.transport.RequestTimeoutException;
import dev.orloj.runtime.transport.ServerRequest;
import dev.orloj.runtime.transport.SessionExpiredException;
import dev.orloj.runtime.transport.Transport;
import dev.orloj.runtime.transport.TransportException;
import dev.orloj.runtime.transport.TransportListener;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The MCP client of one session: negotiates the version, sends requests, routes requests and
 * notifications of the server, and monitors its health. Thread-safe.
 */
public final class McpClient {

    private final Transport transport;
    private final Consumer<TransportException> failure;
    private final Scheduler clock;
    private final HealthMonitor health;
    private final ProgressTokens progress = new ProgressTokens();
    private final LogRouter logs;
    private final ServerRequestRouter clients;
    private final ServerRequestPolicy requestPolicy;

    private final Privacy privacy;

    private volatile ServerIdentity identity = ServerIdentity.UNKNOWN;

    /** Set by the negotiation. */
    private volatile Era era = new Era.Legacy(ProtocolRevision.newestLegacy());

    private volatile @Nullable ServerSubscriptions changes;

    /**
     * @param server the server of the session
     * @param failure fails the session when the server is gone
     * @param probe the health probe; empty for none
     * @param busy whether calls are in flight
     * @param requestPolicy which requests the server may send to clients
     * @param privacy whether clients are isolated from each other
     */
    public McpClient(
            ResourceKey server,
            Transport transport,
            Consumer<TransportException> failure,
            Scheduler clock,
            Optional<HealthProbe> probe,
            BooleanSupplier busy,
            ServerRequestPolicy requestPolicy,
            Privacy privacy) {
        this.privacy = privacy;
        this.logs = new LogRouter(privacy::isStrict);
        this.clients = new ServerRequestRouter(server);
        this.requestPolicy = requestPolicy;
        this.transport = transport;
        this.failure = failure;
        this.clock = clock;
        this.health = new HealthMonitor(probe, clock, this::ping, busy, failure);
    }

    /** Determines how the sessions of one server share its clients. */
    public interface Privacy {

        /** Returns whether clients are isolated from each other. */
        boolean isStrict();

        /** The server sent a message without a request id. */
        void unattributed();
    }

    /** Returns the clients that the session has served. */
    public SessionClients clients() {
        return logs.clients();
    }

    /** Returns the identity that the server sent. */
    public ServerIdentity identity() {
        return identity;
    }

    public Era era() {
        return era;
    }

    /**
     * Opens the transport and negotiates the version.
     *
     * @param knownAsLegacy see {@link VersionNegotiation#make}
     */
    public VersionNegotiation.NegotiatedServer begin(
            TransportListener listener,
            String clientVersion,
            Duration startupTimeout,
            boolean knownAsLegacy)
            throws InterruptedException {
        transport.open(listener);
        progress.startAfter(transport.earlierConnections());
        VersionNegotiation.NegotiatedServer met =
                new VersionNegotiation(transport, clientVersion, startupTimeout, requestPolicy)
                        .make(knownAsLegacy);
        identity = met.identity();
        era = met.era();
        return met;
    }

    /**
     * Starts the health monitor and the subscriptions to changes.
     *
     * @param changed called for each change that may have been missed, as for a notification of the
     *     server
     */
    public void startMonitoring(String session, BiConsumer<String, @Nullable JsonNode> changed) {
        health.start();
        if (era.revision().isStateless()) {
            ServerSubscriptions subscriptions =
                    new ServerSubscriptions(session, transport, era, clock, changed);
            changes = subscriptions;
            subscriptions.followLists(identity.changingLists());
        }
    }

    /** Changes the health probe. */
    public void follow(Optional<HealthProbe> probe) {
        health.follow(probe);
    }

    /** Stops the health monitor and the subscriptions. */
    public void stopMonitoring() {
        health.stop();
        ServerSubscriptions subscriptions = changes;
        if (subscriptions != null) {
            subscriptions.stop();
        }
    }

    /** Handles the server's acknowledgement of a subscription. */
    public void acknowledged(@Nullable JsonNode params) {
        ServerSubscriptions subscriptions = changes;
        if (subscriptions != null) {
            subscriptions.resources().acknowledged(params);
        }
    }

    /** Handles a progress notification of the server. */
    public void progressed(@Nullable JsonNode params) {
        progress.progressed(params);
    }

    /**
     * Handles a log message without a request id.
     *
     * @return whether a client received the message
     */
    public boolean logged(@Nullable JsonNode params) {
        if (!(logs.clients() instanceof SessionClients.None)) {
            privacy.unattributed();
        }
        return logs.logged(params);
    }

    /** Handles a request of the server that names no call. */
    public void asked(ServerRequest request) {
        if (requestPolicy.parks()) {
            privacy.unattributed();
            clients.asked(request);
        } else {
            request.refuse();
        }
    }

    /**
     * Returns whether a request of the server during a call of this client may belong to a
     * cancelled call of another client.
     */
    public boolean mayConfuse(RequestingClient client) {
        return clients.mayBeForAnother(client)
                && client.isReachable()
                && !requestPolicy.towardsOlder(client.capabilities()).isEmpty();
    }

    /** Handles the server's cancellation of one of its requests. */
    public void cancelled(@Nullable JsonNode params) {
        clients.cancelled(params);
    }

    /**
     * Sends a request of a client. Requests progress notifications when the client listens for them
     * or a limit of the silence applies.
     *
     * @param silence the longest time without progress; zero for no limit
     */
    public JsonNode call(SessionRequest request, Duration silence) throws InterruptedException {
        ServerSubscriptions subscriptions = changes;
        if (subscriptions != null && ResourceSubscriber.makes(request.method())) {
            return subscribe(subscriptions, request);
        }
        RequestDeadline deadline = RequestDeadline.of(request.timeout(), silence);
        boolean isWatched = !silence.isZero() || request.progress() != ProgressListener.NONE;
        if (!isWatched) {
            return converse(request, deadline);
        }
        try (ProgressTokens.Watched watched = progress.watch(deadline, request.progress())) {
            request.params().withObjectProperty("_meta").put("progressToken", watched.token());
            return converse(request, deadline);
        }
    }

    /** Adds the log level to the request if the server's era has one. */
    private void putLogLevel(SessionRequest request, LogListener listener) {
        if (era.revision().isStateless()) {
            listener.level()
                    .ifPresent(
                            level ->
                                    request.params()
                                            .withObjectProperty("_meta")
                                            .put(Era.Modern.LOG_LEVEL, level.text()));
        }
    }

    /**
     * Sends the request. In the meantime, the client receives the server's log messages, and
     * responds to the server's requests as far as the policy allows them.
     */
    private JsonNode converse(SessionRequest request, RequestDeadline deadline)
            throws InterruptedException {
        RequestingClient client = request.client();
        LogListener listener = client.logs();
        putLogLevel(request, listener);
        Object owner = SessionOwnership.of(request, requestPolicy);
        try (LogRouter.RequestLog logged = logs.join(listener, owner)) {
            OutgoingRequest written =
                    era.write(
                                    request.method(),
                                    request.params(),
                                    request.mirroredHeaders(),
                                    requestPolicy.towardsNewer(client.capabilities()))
                            .observed(logged, request.observation()::exchanged);
            // List requests have no owner; during them, a server sends no requests to the client.
            return era.revision().isStateless() || !requestPolicy.parks() || owner == null
                    ? send(written, deadline)
                    : sendAsking(client, written, deadline);
        }
    }

    /**
     * Sends as {@link #send} does, to a server that may send requests to the client. The call
     * counts as abandoned unless the server is known to have finished it.
     */
    private JsonNode sendAsking(
            RequestingClient client, OutgoingRequest request, RequestDeadline deadline)
            throws InterruptedException {
        ClientCapabilities open = requestPolicy.towardsOlder(client.capabilities());
        try (ServerRequestRouter.Participant call = clients.join(client, open, deadline)) {
            try {
                JsonNode result = send(request.withAsked(call::asked), deadline);
                call.answered();
                return result;
            } catch (JsonRpcException e) {
                call.answered();
                throw e;
            } catch (TransportException e) {
                if (!e.delivered()) {
                    call.answered();
                }
                throw e;
            }
        }
    }

    public JsonNode request(String method, @Nullable ObjectNode params, Duration timeout)
            throws InterruptedException {
        return send(era.write(method, params), RequestDeadline.after(timeout));
    }

    /** Sends a request and reports its outcome to the health monitor. */
    private JsonNode send(OutgoingRequest request, RequestDeadline deadline)
            throws InterruptedException {
        try {
            JsonNode result = transport.request(request, deadline);
            health.answered();
            return result;
        } catch (JsonRpcException e) {
            health.answered();
            throw e;
        } catch (RequestTimeoutException e) {
            health.unanswered();
            throw e;
        } catch (TransportException e) {
            failIfGone(e);
            throw e;
        }
    }

    private void ping(Duration timeout) throws InterruptedException {
        try {
            transport.request(era.write(era.ping(), null), RequestDeadline.after(timeout));
        } catch (TransportException e) {
            failIfGone(e);
            throw e;
        }
    }

    private JsonNode subscribe(ServerSubscriptions subscriptions, SessionRequest request)
            throws InterruptedException {
        try {
            return subscriptions.resources().make(request);
        } catch (TransportException e) {
            failIfGone(e);
            throw e;
        }
    }

    /**
     * The transport's listener reports the end too, but possibly later than this thread detects it.
     */
    private void failIfGone(TransportException e) {
        if (e instanceof SessionExpiredException || !transport.isOpen()) {
            failure.accept(e);
        }
    }
}
