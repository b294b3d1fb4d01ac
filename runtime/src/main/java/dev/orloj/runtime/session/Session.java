package dev.orloj.runtime.session;

import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.runtime.transport.RequestDeadline;
import dev.orloj.runtime.transport.RequestTimeoutException;
import dev.orloj.runtime.transport.SessionExpiredException;
import dev.orloj.runtime.transport.Transport;
import dev.orloj.runtime.transport.TransportException;
import dev.orloj.runtime.transport.TransportListener;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;

/**
 * One conversation with one MCP server, from the first request to the end of its process.
 * Thread-safe: any number of requests at a time. Its states are those of {@link SessionState}; it
 * never returns to an earlier one, so after its end a new session takes its place.
 */
public final class Session {

    private static final String TOOLS_CHANGED = "notifications/tools/list_changed";
    private static final String PROGRESS = "notifications/progress";

    private final String id;
    private final Transport transport;
    private final SessionListener listener;
    private final Instant startedAt;
    private final Duration usualDrainTimeout;
    private final AlarmClock clock;

    private final SessionLife life;
    private final CallGate gate;
    private final IdleWatch idleness;
    private final ProgressWatch progress = new ProgressWatch();
    private final SessionWear wear;
    private final HealthWatch health;
    private final LongAdder errors = new LongAdder();

    /** Changes in all but what the connection depends on. */
    private volatile ServerDefinition definition;

    private volatile ServerIdentity identity = ServerIdentity.UNKNOWN;

    /** How requests are written, once both sides know each other. */
    private volatile Era era = new Era.Legacy(ProtocolRevision.newestLegacy());

    private volatile @Nullable Thread listChanges;

    Session(
            String id,
            ServerDefinition definition,
            Transport transport,
            SessionContext context,
            BiConsumer<Session, String> whenWorn) {
        this.clock = context.clock();
        this.id = id;
        this.definition = definition;
        this.transport = transport;
        this.listener = context.listener();
        this.usualDrainTimeout = context.settings().drainTimeout();
        this.startedAt = clock.instant();
        this.life = new SessionLife(id, clock);
        this.gate = life.gate();
        this.idleness =
                new IdleWatch(
                        definition.idleTimeout(),
                        gate,
                        clock,
                        () -> drain("idle for " + this.definition.idleTimeout(), Duration.ZERO));
        this.wear =
                new SessionWear(
                        definition.upkeep(),
                        clock,
                        context.random(),
                        reason -> whenWorn.accept(this, reason));
        this.health =
                new HealthWatch(
                        definition.upkeep().health(),
                        clock,
                        timeout -> exchange(era.ping(), null, RequestDeadline.after(timeout)),
                        () -> gate.inside() > 0,
                        life::fail);
    }

    public SessionKey key() {
        return definition.key();
    }

    ServerDefinition definition() {
        return definition;
    }

    /** Takes over what may change while the session is open; an earlier generation has nothing. */
    synchronized void follow(ServerDefinition changed) {
        if (changed.key().generation() < definition.key().generation()) {
            return;
        }
        definition = changed;
        idleness.follow(changed.idleTimeout());
        wear.follow(changed.upkeep());
        health.follow(changed.upkeep().health());
    }

    /** What the server said about itself. */
    public ServerIdentity identity() {
        return identity;
    }

    /** The process id of the server on this host, while there is one. */
    public Optional<Long> pid() {
        return transport.pid();
    }

    public SessionState state() {
        return life.state();
    }

    boolean isReady() {
        return life.isReady();
    }

    /**
     * Calls a tool.
     *
     * @return the result as received, {@code isError} ones included
     * @throws SessionClosedException when the session takes no calls (any more); nothing was sent
     * @throws JsonRpcException when the server answered with an error
     * @throws RequestTimeoutException when no answer came in time; the server was told
     * @throws TransportException when the connection broke; it says whether the call was delivered
     */
    public JsonNode callTool(String toolName, JsonNode arguments, Duration timeout)
            throws InterruptedException {
        ObjectNode params = JsonNodeFactory.instance.objectNode();
        params.put("name", toolName);
        params.set("arguments", arguments);
        return call(new SessionRequest("tools/call", params, timeout, ProgressListener.NONE));
    }

    /** Sends a request of somebody else; answers and throws like {@link #callTool}. */
    public JsonNode call(SessionRequest request) throws InterruptedException {
        enter(request.method());
        wear.called();
        idleness.used();
        boolean answered = false;
        try {
            JsonNode result =
                    RequestObservation.begin(listener, definition, id, identity, request)
                            .during(() -> sendCall(request));
            answered = true;
            return result;
        } finally {
            if (!answered) {
                errors.increment();
            }
            idleness.used();
            gate.leave();
        }
    }

    /** {@link #discoverTools} without the notes. */
    public List<ObjectNode> listTools() throws InterruptedException {
        return discoverTools().tools();
    }

    /**
     * Asks for all pages of {@code tools/list}. A server that declares no tools and knows no such
     * method has none.
     *
     * @throws McpProtocolException when the list as a whole is not usable
     */
    public ToolListing discoverTools() throws InterruptedException {
        try {
            return ToolPages.readAll(
                    params -> request("tools/list", params, definition.callTimeout()),
                    tool -> era.objection(tool, definition.address()));
        } catch (JsonRpcException e) {
            if (e.error().code() == JsonRpcError.METHOD_NOT_FOUND && !identity.hasTools()) {
                return new ToolListing(List.of(), List.of());
            }
            throw e;
        }
    }

    /** Returns when the server has answered; throws like {@link #callTool} otherwise. */
    public void ping(Duration timeout) throws InterruptedException {
        request(era.ping(), null, timeout);
    }

    public SessionInfo info() {
        return new SessionInfo(
                id,
                definition.server(),
                definition.key(),
                life.state().label(),
                identity.protocolVersion(),
                transport.pid(),
                startedAt,
                idleness.lastUsed(),
                gate.inside(),
                wear.calls(),
                errors.sum(),
                transport.stats().noiseLines(),
                transport.exit());
    }

    /** {@code default/github#3}. */
    @Override
    public String toString() {
        return id;
    }

    /**
     * Opens the transport and introduces both sides to each other; once, from Connecting to Ready.
     * When it fails nothing is left of the session.
     *
     * @param knownAsLegacy see {@link Introduction#make}
     */
    Introduction.Acquaintance open(String clientVersion, boolean knownAsLegacy)
            throws InterruptedException {
        try {
            transport.open(new Events());
            Introduction.Acquaintance met =
                    new Introduction(transport, clientVersion, definition.startupTimeout())
                            .make(knownAsLegacy);
            identity = met.identity();
            era = met.era();
            life.ready(met.identity());
            if (life.state() instanceof SessionState.Failed failed) {
                throw new TransportException(failed.cause(), false);
            }
            idleness.start();
            wear.start();
            health.start();
            listenForChanges();
            return met;
        } catch (RuntimeException | InterruptedException | Error e) {
            life.fail(e);
            finish();
            throw e;
        }
    }

    private void listenForChanges() {
        if (era.revision().isStateless() && identity.tellsOfChangedTools()) {
            listChanges =
                    Thread.ofVirtual()
                            .name("orloj-changes-" + id)
                            .start(new ListChanges(transport, era, clock));
        }
    }

    /**
     * Lets no more calls in. Those in flight may finish within the timeout; {@link #finish} waits
     * for them.
     */
    void drain(String reason, Duration timeout) {
        life.drain(reason, timeout);
    }

    /** As above, with the time that the server gives. */
    void drain(String reason) {
        drain(reason, definition.upkeep().drainTimeout().orElse(usualDrainTimeout));
    }

    /** Whether nobody was inside, and the session drains now. */
    boolean drainIfIdle(String reason) {
        return life.drainIfIdle(reason);
    }

    /** Takes the place of a session of the same key: what was idle stays so. */
    void replace(Session before) {
        idleness.carryOn(before.idleness.lastUsed());
    }

    /** The session that was to replace this one did not open. */
    void goOn() {
        wear.goOn();
    }

    /** Waits until no more calls are taken. */
    void awaitEnding() throws InterruptedException {
        life.awaitEnding();
    }

    /** Waits until calls in flight are done or out of time, then closes the transport. */
    SessionState.Closed finish() {
        idleness.stop();
        wear.stop();
        health.stop();
        Thread listening = listChanges;
        if (listening != null) {
            listening.interrupt();
        }
        if (life.state() instanceof SessionState.Draining) {
            gate.awaitEmptyOrInterrupt();
        }
        transport.close();
        return life.close();
    }

    /** Asks for news of the progress where that decides how long to wait, or somebody listens. */
    private JsonNode sendCall(SessionRequest request) throws InterruptedException {
        Duration silence = definition.idleCallTimeout();
        RequestDeadline deadline = RequestDeadline.of(request.timeout(), silence);
        if (silence.isZero() && request.progress() == ProgressListener.NONE) {
            return send(request.method(), request.params(), deadline);
        }
        try (ProgressWatch.Watched watched = progress.watch(deadline, request.progress())) {
            ObjectNode params = request.params();
            params.withObjectProperty("_meta").put("progressToken", watched.token());
            return send(request.method(), params, deadline);
        }
    }

    private JsonNode request(String method, @Nullable ObjectNode params, Duration timeout)
            throws InterruptedException {
        enter(method);
        try {
            return send(method, params, RequestDeadline.after(timeout));
        } finally {
            gate.leave();
        }
    }

    private void enter(String method) {
        if (!gate.enter()) {
            throw new SessionClosedException(method, id, life.state());
        }
    }

    /** A request of somebody else than the watch over the health, and what it says about that. */
    private JsonNode send(String method, @Nullable ObjectNode params, RequestDeadline deadline)
            throws InterruptedException {
        try {
            JsonNode result = exchange(method, params, deadline);
            health.answered();
            return result;
        } catch (JsonRpcException e) {
            health.answered();
            throw e;
        } catch (RequestTimeoutException e) {
            health.unanswered();
            throw e;
        }
    }

    private JsonNode exchange(String method, @Nullable ObjectNode params, RequestDeadline deadline)
            throws InterruptedException {
        try {
            return transport.request(era.write(method, params, Map.of()), deadline);
        } catch (SessionExpiredException e) {
            life.fail(e);
            throw e;
        } catch (TransportException e) {
            // The listener hears of a death too, perhaps later than this thread does.
            if (!transport.isOpen()) {
                life.fail(e);
            }
            throw e;
        }
    }

    /** What the transport hears from the server. */
    private final class Events implements TransportListener {

        @Override
        public void onNotification(String method, @Nullable JsonNode params) {
            switch (method) {
                case TOOLS_CHANGED -> listener.toolsChanged(definition.server());
                case PROGRESS -> progress.heard(params);
                default -> listener.notified(definition.server(), method, params);
            }
        }

        @Override
        public void onClosed(TransportException cause) {
            life.fail(cause);
        }
    }
}
