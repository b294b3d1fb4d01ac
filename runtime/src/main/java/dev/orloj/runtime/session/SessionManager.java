package dev.orloj.runtime.session;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.client.SessionOwnership;
import dev.orloj.runtime.client.SessionRequest;
import dev.orloj.runtime.clock.Scheduler;
import dev.orloj.runtime.code.CodeGate;
import dev.orloj.runtime.limit.LimitReachedException;
import dev.orloj.runtime.limit.ProcessQuota;
import dev.orloj.runtime.listing.ServerList;
import dev.orloj.runtime.oauth.OAuthException;
import dev.orloj.runtime.scale.ServerScaling;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionSettings;
import dev.orloj.runtime.session.lifecycle.SessionClosedException;
import dev.orloj.runtime.start.Starts;
import dev.orloj.runtime.subject.SubjectException;
import dev.orloj.runtime.subject.SubjectToken;
import dev.orloj.runtime.transport.Transports;
import dev.orloj.runtime.workload.LogBuffer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;

/**
 * Manages the sessions with all servers: opens them on first use, keeps them open, replaces them
 * when their key changes, and closes them when idle. Thread-safe; servers share no lock.
 */
public final class SessionManager implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SessionManager.class);

    /** Time for processes to end, in addition to the time for calls to finish. */
    private static final Duration CLOSING_TIME = Duration.ofSeconds(30);

    private static final String SUBJECT_REQUIRED =
            "it gets the requests of each user with a token for this user, and this request has"
                + " none of the issuer in spec.auth.oauth.issuer; authenticate with a token of this"
                + " issuer, and without impersonation";

    private final SessionContext context;
    private final SessionRegistry registry;

    public SessionManager(
            Transports transports,
            SessionListener listener,
            Scheduler clock,
            RandomGenerator random,
            SessionSettings settings) {
        this(transports, listener, clock, random, settings, CodeGate.OPEN, Starts.ofThisMachine());
    }

    /** Creates a manager with a gate that decides about what runs in each session. */
    public SessionManager(
            Transports transports,
            SessionListener listener,
            Scheduler clock,
            RandomGenerator random,
            SessionSettings settings,
            CodeGate gate) {
        this(transports, listener, clock, random, settings, gate, Starts.ofThisMachine());
    }

    SessionManager(
            Transports transports,
            SessionListener listener,
            Scheduler clock,
            RandomGenerator random,
            SessionSettings settings,
            CodeGate gate,
            Starts starts) {
        ProcessQuota room =
                new ProcessQuota(settings.limits(), this::residentBytes, this::closeIdlest);
        SingletonTerm singletons =
                new SingletonTerm(clock, expired -> expired.forEach(this::expel));
        this.context =
                new SessionContext(
                        transports,
                        listener,
                        clock,
                        random,
                        settings,
                        room,
                        singletons,
                        starts,
                        gate);
        this.registry = new SessionRegistry(context);
    }

    private SessionManager(SessionContext context) {
        this.context = context;
        this.registry = new SessionRegistry(context);
    }

    /**
     * Returns a manager of further sessions within the same limits, for the trial of a server
     * beside its sessions. The caller closes it.
     *
     * @param listener receives the events of these sessions, instead of the usual one
     */
    public SessionManager beside(SessionListener listener) {
        return new SessionManager(context.beside(listener));
    }

    /**
     * Returns the term during which singleton sessions may be open here; they may not until it is
     * extended.
     */
    public SingletonTerm singletons() {
        return context.singletons();
    }

    /**
     * Returns the memory of the processes of all sessions and their descendants; 0 where the host
     * does not report it.
     */
    public long residentBytes() {
        return registry.residentBytes();
    }

    /** Returns what scales the workloads that run servers over HTTP. */
    public ServerScaling scaling() {
        return context.transports().scaling();
    }

    private boolean closeIdlest() throws InterruptedException {
        return registry.closeIdlest();
    }

    /**
     * Starts to open a session for this definition, unless it is open or opening, or another
     * opening has failed that the caller does not know yet and the wait after it goes on. Does not
     * wait: the {@link SessionListener} receives the outcome.
     *
     * @param known the latest failure to open the session, after which the caller has waited; empty
     *     if it knows none
     * @return the failure that it does not know, with what is left of the wait
     */
    public Optional<FailedOpening> start(
            ServerDefinition definition, Optional<SessionOpenException> known) {
        return registry.isClosed()
                ? Optional.empty()
                : registry.start(
                        definition, failed -> known.filter(failed.cause()::equals).isEmpty());
    }

    /** Returns the open session, the one that is opening, or one that starts to open now. */
    Future<Session> begin(ServerDefinition definition) {
        return registry.begin(definition);
    }

    /** Returns since when a session for this definition is being opened; empty when none is. */
    public Optional<Instant> openingSince(ServerDefinition definition) {
        ServerSessions sessions = registry.known(definition.server());
        return sessions == null ? Optional.empty() : sessions.first().openingSince(definition);
    }

    private <T> T withAnySession(ServerDefinition definition, SessionWork<T> work)
            throws InterruptedException {
        return definition.sharing().maxSessions() == 1
                ? SessionRegistry.with(() -> registry.session(definition), work)
                : withSlot(definition, work);
    }

    private <T> T withSlot(ServerDefinition definition, SessionWork<T> work)
            throws InterruptedException {
        SessionSlot slot =
                registry.sessionsOf(definition.server()).enter(definition.sharing().maxSessions());
        try {
            return SessionRegistry.with(() -> registry.session(slot, definition), work);
        } catch (SessionOpenException e) {
            SessionSlot open = slot.server().enterOpen();
            if (open == null) {
                throw e;
            }
            try {
                return SessionRegistry.with(() -> registry.session(open, definition), work);
            } finally {
                open.leave();
            }
        } finally {
            slot.leave();
        }
    }

    /**
     * Runs the request of a client with the session for this definition, or with the client's own
     * session if the server requires that. If the session does not open, runs it with the session
     * that served the server before the change, while that is open. If the session ends before it
     * accepted a request, runs the work again with a new session; a request that may have been
     * delivered is never repeated.
     *
     * @throws SessionOpenException when no session opens
     * @throws SubjectException when the server requires a token for the user, and there is none
     * @throws LimitReachedException when other clients use all allowed sessions
     */
    public <T> T withSession(
            ServerDefinition definition, SessionRequest request, SessionWork<T> work)
            throws InterruptedException {
        Object owner = SessionOwnership.of(request, definition.requestPolicy());
        if (owner != null && definition.isPerUser()) {
            return withSessionOfUser(definition, request, owner, work);
        }
        if (owner == null
                || !definition.sharing().isolation().isStrict()
                || !registry.sessionsOf(definition.server()).traits().isolates(definition)) {
            return definition.sharing().maxSessions() == 1
                            && ServerList.ofRequest(request.method()).isEmpty()
                    ? SessionRegistry.with(() -> registry.session(definition), work)
                    : withShared(definition, request, work);
        }
        return withOwn(new OwnSessions(registry, owner, definition), work);
    }

    /** Runs the request with a session that has a token for the user of the request. */
    private <T> T withSessionOfUser(
            ServerDefinition definition, SessionRequest request, Object owner, SessionWork<T> work)
            throws InterruptedException {
        SubjectToken token =
                request.client()
                        .subjectToken()
                        .orElseThrow(() -> new SubjectException(SUBJECT_REQUIRED));
        ServerDefinition own = definition.onBehalfOf(token.subject());
        context.transports().authorize(own.address(), token);
        Object ownerForUser = SessionOwnership.onBehalfOf(token.subject(), owner);
        try {
            return withOwn(new OwnSessions(registry, ownerForUser, own), work);
        } catch (SessionOpenException e) {
            throw OAuthException.in(e).<RuntimeException>map(OAuthException::ofUser).orElse(e);
        }
    }

    private static <T> T withOwn(OwnSessions own, SessionWork<T> work) throws InterruptedException {
        try {
            return SessionRegistry.with(own, work);
        } finally {
            own.leave();
        }
    }

    /** Reads a list from the session that reported its last change, until that session ends. */
    private <T> T withShared(
            ServerDefinition definition, SessionRequest request, SessionWork<T> work)
            throws InterruptedException {
        Optional<ServerList> list = ServerList.ofRequest(request.method());
        Optional<Session> session = list.flatMap(l -> announcingSession(definition.server(), l));
        if (session.isPresent() && session.get().key().equals(definition.key())) {
            try {
                return work.with(session.get());
            } catch (SessionClosedException e) { // the list is that of another session now
            }
        }
        return withAnySession(definition, work);
    }

    /**
     * Applies a changed definition to open sessions: immediately if the connection stays the same,
     * otherwise by replacing the session. Opens no session if none is open, and closes a singleton
     * that belongs to another replica. Does not wait.
     */
    public void follow(ServerDefinition definition) {
        ServerSessions sessions = registry.known(definition.server());
        if (sessions == null) {
            return;
        }
        if (definition.sharing().singleton() && !singletons().admits(definition.server())) {
            dismiss(definition.server());
        } else {
            sessions.follow(definition);
        }
    }

    /** Returns the session that serves calls to this server now. */
    public Optional<Session> liveSession(ResourceKey server) {
        ServerSessions sessions = registry.known(server);
        return sessions == null ? Optional.empty() : Optional.ofNullable(sessions.ready());
    }

    /**
     * Returns the open session that reported a change of this list last, including sessions that a
     * client owns. The lists of other sessions may differ.
     */
    public Optional<Session> announcingSession(ResourceKey server, ServerList list) {
        ServerSessions sessions = registry.known(server);
        return sessions == null ? Optional.empty() : Optional.ofNullable(sessions.announcer(list));
    }

    /**
     * Ends all sessions of a server: cancels openings, and lets calls in flight finish within the
     * drain timeout. Does not wait: the {@link SessionListener} receives the end.
     */
    public void dismiss(ResourceKey server) {
        startRetiring(server);
    }

    /** Returns whether the server has no session that is open, opening or closing. */
    public boolean isGone(ResourceKey server) {
        ServerSessions sessions = registry.known(server);
        return sessions == null || sessions.isGone();
    }

    /** Returns the sessions with the server: open, opening and closing. */
    public List<SessionInfo> sessions(ResourceKey server) {
        ServerSessions sessions = registry.known(server);
        return sessions == null ? List.of() : sessions.infos();
    }

    public List<SessionInfo> sessions() {
        return registry.infos();
    }

    /**
     * Returns the number of sessions with the server that were open and failed, since the first use
     * here or the last retirement.
     */
    public int restarts(ResourceKey server) {
        ServerSessions sessions = registry.known(server);
        return sessions == null ? 0 : sessions.failures();
    }

    /** Returns the log of the server over all its sessions; removed by {@link #dismiss}. */
    public LogBuffer log(ResourceKey server) {
        return registry.sessionsOf(server).log();
    }

    /** Closes all sessions concurrently, waits for a limited time, and opens no more. */
    @Override
    public void close() {
        registry.close();
        Duration timeout = context.settings().shutdownTimeout();
        List<SessionSupervisor> left = new ArrayList<>();
        for (ServerSessions sessions : registry.all()) {
            left.addAll(sessions.dismiss("orlojd stops", timeout));
        }
        long deadline = System.nanoTime() + timeout.plus(CLOSING_TIME).toNanos();
        try {
            for (SessionSupervisor supervisor : left) {
                long nanos = Math.max(1, deadline - System.nanoTime());
                if (!supervisor.awaitGone(Duration.ofNanos(nanos))) {
                    log.atWarn().addKeyValue("key", supervisor.key()).log("Session did not close");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Does the same as {@link #dismiss}.
     *
     * @return the supervisors of the sessions that are not closed yet
     */
    List<SessionSupervisor> startRetiring(ResourceKey server) {
        ServerSessions sessions = registry.known(server);
        if (sessions == null) {
            return List.of();
        }
        List<SessionSupervisor> left = sessions.dismiss("retired");
        if (left.isEmpty()) {
            registry.forget(sessions);
        }
        return left;
    }

    /** Closes without waiting: another replica may soon open the session. */
    private void expel(ResourceKey server) {
        ServerSessions sessions = registry.known(server);
        if (sessions != null) {
            sessions.dismiss("this replica may have it no longer", Duration.ZERO);
        }
    }
}
