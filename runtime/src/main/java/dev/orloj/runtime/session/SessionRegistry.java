package dev.orloj.runtime.session;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.lifecycle.SessionClosedException;
import dev.orloj.runtime.transport.SessionExpiredException;
import dev.orloj.runtime.transport.TransportException;
import dev.orloj.runtime.workload.ProcessTable;
import dev.orloj.runtime.workload.ProcessUsage;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Predicate;

/**
 * The sessions of all servers, by server. Finds the open session for a definition, or opens one.
 * Thread-safe; finding an open session takes no lock.
 */
final class SessionRegistry {

    /** Supplies a session. */
    @FunctionalInterface
    interface Source {
        Session get() throws InterruptedException;
    }

    /** Number of attempts when a session is closed or replaced between lookup and use. */
    private static final int MAX_TRIES = 3;

    private final SessionContext context;
    private final ConcurrentMap<ResourceKey, ServerSessions> servers = new ConcurrentHashMap<>();
    private volatile boolean closed = false;

    SessionRegistry(SessionContext context) {
        this.context = context;
    }

    /** Returns the sessions of a server; null for a server that was not used yet. */
    @Nullable ServerSessions known(ResourceKey server) {
        return servers.get(server);
    }

    /** Returns the sessions of a server, without a lock for a known server. */
    ServerSessions sessionsOf(ResourceKey server) {
        ServerSessions known = servers.get(server);
        return known == null || known.isRetired() ? newSessionsOf(server) : known;
    }

    private ServerSessions newSessionsOf(ResourceKey server) {
        return Objects.requireNonNull(
                servers.compute(
                        server,
                        (key, known) ->
                                known == null || known.isRetired()
                                        ? new ServerSessions(key, known, context, this::forget)
                                        : known));
    }

    Collection<ServerSessions> all() {
        return servers.values();
    }

    /** Returns all sessions, including those that are opening. */
    List<SessionInfo> infos() {
        return all().stream().flatMap(sessions -> sessions.infos().stream()).toList();
    }

    /** Returns the memory of the processes of all sessions and their descendants. */
    long residentBytes() {
        ProcessTable table = ProcessTable.read();
        return infos().stream()
                .flatMap(session -> session.pid().stream())
                .flatMap(pid -> table.usage(pid).stream())
                .mapToLong(ProcessUsage::residentBytes)
                .sum();
    }

    /** Removes the sessions of a server if all are closed. */
    void forget(ServerSessions sessions) {
        // Later sessions may be retired too, and have waited for these.
        ServerSessions left =
                servers.computeIfPresent(
                        sessions.server(), (key, known) -> known.isGone() ? null : known);
        if (left == null) {
            context.notifyListener(sessions.server(), listener -> listener.gone(sessions.server()));
        }
    }

    /**
     * Ends the session that was idle longest, to make room for the process of another server.
     *
     * @return false when no session is idle
     */
    boolean closeIdlest() throws InterruptedException {
        Map<Session, SessionSlot> idle = new HashMap<>();
        all().forEach(sessions -> idle.putAll(sessions.sleepy()));
        List<Session> longestFirst =
                idle.keySet().stream()
                        .sorted(Comparator.comparing(session -> session.info().lastUsedAt()))
                        .toList();
        for (Session session : longestFirst) {
            SessionSlot slot = Objects.requireNonNull(idle.get(session));
            if (slot.closeIfIdle(session, "made room for the process of another server")) {
                return true;
            }
        }
        return false;
    }

    /** Opens no more sessions. */
    void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }

    /** Returns the session of the shared slot that serves this definition, or opens one. */
    Session session(ServerDefinition definition) throws InterruptedException {
        ServerSessions sessions = servers.get(definition.server());
        return sessions == null ? open(definition) : session(sessions.first(), definition);
    }

    /** Does the same for another slot; when that is retired, for the shared slot. */
    Session session(SessionSlot slot, ServerDefinition definition) throws InterruptedException {
        Optional<Session> session = find(slot, definition);
        return session.isPresent() ? session.get() : open(definition);
    }

    /**
     * Returns the session of a slot that serves this definition, or opens one.
     *
     * @return empty when the slot is retired
     */
    Optional<Session> find(SessionSlot slot, ServerDefinition definition)
            throws InterruptedException {
        Session serving = slot.serving(definition);
        if (serving != null) {
            return Optional.of(serving);
        }
        try {
            Optional<Future<Session>> opening = closed ? Optional.empty() : slot.start(definition);
            return opening.isPresent() ? Optional.of(await(opening.get())) : Optional.empty();
        } catch (SessionOpenException e) {
            Session before = slot.serving(definition);
            if (before == null) {
                throw e;
            }
            return Optional.of(before);
        }
    }

    /**
     * Runs the work with a session. Repeats it with another one if the session ends before it
     * accepted a request; a request that may have been delivered is never repeated.
     */
    static <T> T with(Source source, SessionWork<T> work) throws InterruptedException {
        for (int tries = 1; ; tries++) {
            Session session = source.get();
            try {
                return work.with(session);
            } catch (SessionClosedException e) {
                if (tries >= MAX_TRIES) {
                    throw e;
                }
            } catch (SessionExpiredException e) {
                if (tries > 1) {
                    throw e;
                }
            } catch (TransportException e) {
                if (tries > 1 || e.delivered() || session.isReady()) {
                    throw e;
                }
            }
        }
    }

    private Session open(ServerDefinition definition) throws InterruptedException {
        return await(begin(definition));
    }

    /**
     * Starts to open a session, unless it is open or opening, or has to wait.
     *
     * @param respected see {@link OpeningTurns#enter}
     * @return the failure that it waits after, with what is left of the wait
     */
    Optional<FailedOpening> start(ServerDefinition definition, Predicate<FailedOpening> respected) {
        Optional<FailedOpening> failed =
                sessionsOf(definition.server()).turns().latest(definition.key()).filter(respected);
        if (failed.isEmpty()) {
            begin(definition, respected);
        }
        return failed;
    }

    /** Returns the open session, the one that is opening, or one that starts to open now. */
    Future<Session> begin(ServerDefinition definition) {
        return begin(definition, failed -> false);
    }

    private Future<Session> begin(ServerDefinition definition, Predicate<FailedOpening> respected) {
        while (true) {
            ServerSessions sessions = sessionsOf(definition.server());
            // Checked after the entry was created: either the manager sees the entry when it
            // closes, or this check sees close().
            if (closed) {
                return CompletableFuture.failedFuture(
                        new SessionOpenException(definition.server(), 1, "orlojd stops", null));
            }
            Optional<Future<Session>> started = sessions.first().start(definition, respected);
            if (started.isPresent()) {
                return started.get();
            }
        }
    }

    /** Waits for the opening, which continues if this thread is interrupted. */
    private static Session await(Future<Session> opening) throws InterruptedException {
        try {
            return opening.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SessionOpenException failure) {
                throw failure;
            }
            throw new IllegalStateException("Opening a session ended in an error", e.getCause());
        }
    }
}
