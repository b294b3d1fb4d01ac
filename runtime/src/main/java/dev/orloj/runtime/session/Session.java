package dev.orloj.runtime.session;

import dev.orloj.api.GoDuration;
import dev.orloj.runtime.client.McpClient;
import dev.orloj.runtime.client.McpProtocolException;
import dev.orloj.runtime.client.ServerIdentity;
import dev.orloj.runtime.client.SessionClients;
import dev.orloj.runtime.client.SessionRequest;
import dev.orloj.runtime.client.VersionNegotiation;
import dev.orloj.runtime.clock.Scheduler;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.listing.FeatureListing;
import dev.orloj.runtime.listing.FeaturePages;
import dev.orloj.runtime.listing.ListingLimits;
import dev.orloj.runtime.listing.ServerList;
import dev.orloj.runtime.listing.ToolListing;
import dev.orloj.runtime.listing.ToolPages;
import dev.orloj.runtime.observation.RequestEnd;
import dev.orloj.runtime.observation.RequestObserver;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionKey;
import dev.orloj.runtime.session.lifecycle.CallLatch;
import dev.orloj.runtime.session.lifecycle.IdleTimer;
import dev.orloj.runtime.session.lifecycle.RenewalTimer;
import dev.orloj.runtime.session.lifecycle.SessionClosedException;
import dev.orloj.runtime.session.lifecycle.SessionLifecycle;
import dev.orloj.runtime.session.lifecycle.SessionState;
import dev.orloj.runtime.transport.RequestTimeoutException;
import dev.orloj.runtime.transport.Transport;
import dev.orloj.runtime.transport.TransportException;
import dev.orloj.runtime.workload.ContainerRef;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * One session with one MCP server, from the first request to the end of its process. Thread-safe,
 * with any number of concurrent requests. Its states are those of {@link SessionState}. It never
 * returns to an earlier state: a new session replaces one that has ended.
 */
public final class Session {

    private final String id;
    private final Transport transport;
    private final SessionListener listener;
    private final Instant startedAt;
    private final Duration usualDrainTimeout;

    private final SessionLifecycle life;
    private final CallLatch latch;
    private final IdleTimer idleness;
    private final RenewalTimer renewal;
    private final McpClient mcpClient;
    private final LongAdder errors = new LongAdder();
    private final Host host;

    /** Updated in all parts except the connection. */
    private volatile ServerDefinition definition;

    /** Receives the reports of a session. */
    interface Host {

        /** The session must be replaced for this reason. */
        void expired(Session session, String reason);

        /** The server sent a message without a request id. */
        void unattributed();

        /**
         * Returns whether the session is opened for one client, in addition to the shared session.
         */
        boolean isOwnedByClient();

        /** The server reported a change of a list of this session. */
        void listChanged(Session session, ServerList list);
    }

    Session(
            String id,
            ServerDefinition definition,
            Transport transport,
            SessionContext context,
            Host host) {
        Scheduler clock = context.clock();
        this.id = id;
        this.definition = definition;
        this.transport = transport;
        this.host = host;
        this.listener = context.listener();
        this.usualDrainTimeout = context.settings().drainTimeout();
        this.startedAt = clock.instant();
        this.life = new SessionLifecycle(id, clock, definition.secrets());
        this.latch = life.latch();
        this.idleness = new IdleTimer(definition.timeouts().idle(), latch, clock, this::drainIdle);
        this.renewal =
                new RenewalTimer(
                        definition.policy(),
                        clock,
                        context.random(),
                        reason -> host.expired(this, reason));
        this.mcpClient =
                new McpClient(
                        definition.server(),
                        transport,
                        life::fail,
                        clock,
                        definition.policy().health(),
                        () -> latch.inside() > 0,
                        definition.requestPolicy(),
                        privacy());
    }

    private void drainIdle() {
        drain("idle for " + GoDuration.of(definition.timeouts().idle()).text(), Duration.ZERO);
    }

    private McpClient.Privacy privacy() {
        return new McpClient.Privacy() {

            @Override
            public boolean isStrict() {
                return definition.sharing().isolation().isStrict();
            }

            @Override
            public void unattributed() {
                host.unattributed();
            }
        };
    }

    /** Returns the clients that the session has served. */
    SessionClients clients() {
        return mcpClient.clients();
    }

    public SessionKey key() {
        return definition.key();
    }

    ServerDefinition definition() {
        return definition;
    }

    /** Applies a changed definition to the open session; ignores earlier generations. */
    synchronized void follow(ServerDefinition changed) {
        if (changed.key().generation() < definition.key().generation()) {
            return;
        }
        definition = changed;
        idleness.follow(changed.timeouts().idle());
        renewal.follow(changed.policy());
        mcpClient.follow(changed.policy().health());
    }

    /** Returns the identity that the server sent. */
    public ServerIdentity identity() {
        return mcpClient.identity();
    }

    /** Returns the pid of the server on this host, while there is one. */
    public Optional<Long> pid() {
        return transport.pid();
    }

    /** Returns the id of the image of its container. */
    Optional<String> image() {
        return transport.container().map(ContainerRef::image);
    }

    /**
     * Requests the replacement of the session, as at its maximum age; the session serves calls
     * until then.
     */
    void supersede(String reason) {
        renewal.supersede(reason);
    }

    public SessionState state() {
        return life.state();
    }

    public boolean isReady() {
        return life.isReady();
    }

    /**
     * Sends a request of a client. If the client might receive a server request that belongs to
     * another client, ends the session instead, so that the next session handles the request.
     *
     * @return the result as received, including results with {@code isError}
     * @throws SessionClosedException when the session accepts no more calls; nothing was sent
     * @throws JsonRpcException when the server responded with an error
     * @throws RequestTimeoutException when no response arrived in time; the request was cancelled
     * @throws TransportException when the connection broke; contains whether the call was delivered
     */
    public JsonNode call(SessionRequest request) throws InterruptedException {
        if (mcpClient.mayConfuse(request.client())) {
            drain("a call was given up, and the server may still ask for it");
        }
        enter(request.method());
        renewal.called();
        idleness.used();
        RequestEnd end = RequestEnd.CANCELLED;
        try {
            RequestObserver observer =
                    request.sending(
                            definition.server(),
                            definition.address(),
                            id,
                            identity().protocolVersion());
            try {
                JsonNode result = mcpClient.call(request, definition.timeouts().idleCall());
                end = RequestEnd.answered(result);
                return result;
            } catch (RuntimeException e) { // recorded and rethrown
                end = RequestEnd.failed(e);
                throw e;
            } finally {
                observer.ended(end);
            }
        } finally {
            if (!end.hasResult()) {
                errors.increment();
            }
            idleness.used();
            latch.leave();
        }
    }

    /**
     * Requests all pages of {@code tools/list}.
     *
     * @throws McpProtocolException when the list is invalid
     * @throws dev.orloj.runtime.listing.ListingLimitException when the list exceeds the limits
     */
    public ToolListing discoverTools(ListingLimits limits) throws InterruptedException {
        return ToolPages.readAll(
                params -> request("tools/list", params, definition.timeouts().call()),
                identity().hasTools(),
                limits,
                tool -> mcpClient.era().objection(tool, definition.address()));
    }

    /** Reads the lists of prompts, resource templates and resources that the server declares. */
    public FeatureListing discoverFeatures() throws InterruptedException {
        return FeaturePages.readAll(this::request, identity().capabilities());
    }

    public SessionInfo info() {
        return new SessionInfo(
                id,
                definition.server(),
                definition.key(),
                life.state().name(),
                identity().protocolVersion(),
                transport.pid(),
                startedAt,
                idleness.lastUsed(),
                latch.inside(),
                renewal.calls(),
                errors.sum(),
                transport.stats().noiseLines(),
                transport.exit(),
                transport.obeyedEof(),
                transport.container(),
                definition.address().user(),
                host.isOwnedByClient());
    }

    /** Returns, for example, {@code default/github#3}. */
    @Override
    public String toString() {
        return id;
    }

    /**
     * Opens the transport and negotiates the version. Runs once, from Connecting to Ready. Leaves
     * nothing behind when it fails.
     *
     * @param knownAsLegacy see {@link VersionNegotiation#make}
     */
    VersionNegotiation.NegotiatedServer open(String clientVersion, boolean knownAsLegacy)
            throws InterruptedException {
        try {
            ServerMessageRouter router =
                    new ServerMessageRouter(
                            definition.server(),
                            mcpClient,
                            listener,
                            list -> host.listChanged(this, list),
                            life::fail);
            VersionNegotiation.NegotiatedServer met =
                    mcpClient.begin(
                            router, clientVersion, definition.timeouts().startup(), knownAsLegacy);
            life.ready(met.identity());
            if (life.state() instanceof SessionState.Failed failed) {
                throw new TransportException(failed.cause(), false);
            }
            idleness.start();
            renewal.start();
            mcpClient.startMonitoring(id, router::onNotification);
            return met;
        } catch (RuntimeException | InterruptedException | Error e) {
            life.fail(e);
            finish();
            throw e;
        }
    }

    /**
     * Refuses new calls. Calls in flight may finish within the timeout; {@link #finish} waits for
     * them.
     */
    void drain(String reason, Duration timeout) {
        life.drain(reason, timeout);
    }

    /** Drains with the timeout of the definition. */
    void drain(String reason) {
        drain(reason, definition.policy().drainTimeout().orElse(usualDrainTimeout));
    }

    /** Drains the session because one with this key is next; has no effect for the same key. */
    void giveWayTo(SessionKey next) {
        if (!key().equals(next)) {
            drain(key().replacedBy(next));
        }
    }

    /**
     * Drains the session if it is idle.
     *
     * @return whether it was idle
     */
    boolean drainIfIdle(String reason) {
        return life.drainIfIdle(reason);
    }

    /** Replaces a session of the same key and continues its idle time. */
    void replace(Session before) {
        idleness.carryOn(before.idleness.lastUsed());
    }

    /** Continues with this session because its replacement did not open. */
    void goOn(Duration wait) {
        renewal.goOn(wait);
    }

    /** Waits until the session refuses new calls. */
    void awaitEnding() throws InterruptedException {
        life.awaitEnding();
    }

    /** Waits until calls in flight have finished or timed out, then closes the transport. */
    SessionState.Closed finish() {
        idleness.stop();
        renewal.stop();
        mcpClient.stopMonitoring();
        if (life.state() instanceof SessionState.Draining) {
            awaitCallsInFlight();
        }
        transport.close();
        return life.close();
    }

    private void awaitCallsInFlight() {
        try {
            latch.awaitEmpty();
        } catch (InterruptedException e) {
            // An interrupt means to close now; the interrupt flag would disturb the closing.
            latch.giveUp();
        }
    }

    private JsonNode request(String method, @Nullable ObjectNode params, Duration timeout)
            throws InterruptedException {
        enter(method);
        try {
            return mcpClient.request(method, params, timeout);
        } finally {
            latch.leave();
        }
    }

    private void enter(String method) {
        if (!latch.enter()) {
            throw new SessionClosedException(method, id, life.state());
        }
    }
}
