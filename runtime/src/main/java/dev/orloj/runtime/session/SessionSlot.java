package dev.orloj.runtime.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionKey;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Manages a sequence of sessions with one server: the current session, the one that is opening, and
 * those that are closing. Thread-safe; the lock is never held during a blocking operation.
 */
final class SessionSlot {

    private final ServerSessions server;
    private final SessionContext context;
    private final UnaryOperator<ServerDefinition> terms;
    private final boolean ownedByClient;
    private final SlotQuota quota;
    private final AtomicInteger users = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();

    /** Read by every call without the lock. */
    private volatile @Nullable Session current;

    /** The replacement of the current session that did not open. */
    private final SessionReplacement replacement;

    @GuardedBy("lock")
    private final SlotSessions sessions = new SlotSessions();

    private volatile boolean retired = false;

    /**
     * @param terms adapts the definition of the server to this slot
     */
    SessionSlot(
            ServerSessions server,
            SessionContext context,
            UnaryOperator<ServerDefinition> terms,
            boolean ownedByClient) {
        this.server = server;
        this.context = context;
        this.terms = terms;
        this.ownedByClient = ownedByClient;
        this.quota = new SlotQuota(context.quota());
        this.replacement = new SessionReplacement(context.clock());
    }

    ServerSessions server() {
        return server;
    }

    boolean isOwnedByClient() {
        return ownedByClient;
    }

    /** Enters the slot if it is unused. Success requires a call of {@link #leave}. */
    boolean enterAlone() {
        return users.compareAndSet(0, 1);
    }

    void enter() {
        users.incrementAndGet();
    }

    void leave() {
        users.decrementAndGet();
    }

    int users() {
        return users.get();
    }

    boolean isGone() {
        lock.lock();
        try {
            return retired && sessions.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    SlotQuota room() {
        return quota;
    }

    /**
     * Closes the session if it is still idle, and returns when it is closed.
     *
     * @return whether it was idle
     */
    boolean closeIfIdle(Session session, String reason) throws InterruptedException {
        Optional<SessionSupervisor> supervisor;
        lock.lock();
        try {
            supervisor = sessions.supervisorOf(session);
        } finally {
            lock.unlock();
        }
        if (supervisor.isEmpty() || !session.drainIfIdle(reason)) {
            return false;
        }
        supervisor.get().awaitGone();
        return true;
    }

    @Nullable Session ready() {
        Session session = current;
        return session != null && session.isReady() ? session : null;
    }

    /**
     * Returns the current session if it serves this definition. A call with an earlier generation
     * gets the newer session: the server must not switch back and forth.
     */
    @Nullable Session warm(ServerDefinition definition) {
        Session session = current;
        SessionKey key = definition.key();
        if (session == null || !session.isReady() || !session.key().serves(key)) {
            return null;
        }
        if (session.key().equals(key) && session.key().generation() < key.generation()) {
            session.follow(terms.apply(definition));
        }
        return session;
    }

    /**
     * Returns the session that serves calls for this definition now: the open one or, if the
     * changed server did not open, the previous one.
     */
    @Nullable Session serving(ServerDefinition definition) {
        Session warm = warm(definition);
        return warm == null && replacement.isPending(definition.key()) ? ready() : warm;
    }

    /**
     * Returns the open session, the one that is opening for this key, or starts to open one.
     *
     * @return empty when the slot is retired
     */
    Optional<Future<Session>> start(ServerDefinition definition) {
        return start(definition, failed -> false);
    }

    /**
     * Does the same as {@link #start(ServerDefinition)}.
     *
     * @param respected see {@link OpeningTurns#enter}
     */
    Optional<Future<Session>> start(
            ServerDefinition definition, Predicate<FailedOpening> respected) {
        lock.lock();
        try {
            if (retired) {
                return Optional.empty();
            }
            Session warm = warm(definition);
            if (warm != null) {
                return Optional.of(CompletableFuture.completedFuture(warm));
            }
            SessionSupervisor supervisor = sessions.awaited();
            if (supervisor == null || !supervisor.key().serves(definition.key())) {
                supervisor = open(definition, null, respected);
            }
            return Optional.of(supervisor.opening());
        } finally {
            lock.unlock();
        }
    }

    /** Returns since when a session for this definition is being opened; empty when none is. */
    Optional<Instant> openingSince(ServerDefinition definition) {
        lock.lock();
        try {
            return Optional.ofNullable(sessions.awaited())
                    .filter(supervisor -> supervisor.key().serves(definition.key()))
                    .map(SessionSupervisor::startedAt);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Opens a session that replaces an expiring one, which serves calls until then. Has no effect
     * when the expiring session is closing or already being replaced.
     */
    void renew(SessionSupervisor.Renewal renewal) {
        lock.lock();
        try {
            if (retired || sessions.awaited() != null || !renewal.expiring().isReady()) {
                return;
            }
            if (renewal.expiring() != current) {
                // The session was opened only just now.
                renewal.expiring().goOn(Duration.ZERO);
                return;
            }
            open(renewal.expiring().definition(), renewal, failed -> true);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Applies a changed definition to a session that is open or opening. Opens a replacement if the
     * connection changed.
     */
    void follow(ServerDefinition changed) {
        ServerDefinition definition = terms.apply(changed);
        lock.lock();
        try {
            sessions.follow(definition);
            Session before = ready();
            if (before != null && before.key().isSucceededBy(definition.key())) {
                start(definition, failed -> true);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Opens a session in place of the one that is opening. */
    @GuardedBy("lock")
    private SessionSupervisor open(
            ServerDefinition definition,
            SessionSupervisor.@Nullable Renewal renewal,
            Predicate<FailedOpening> respected) {
        SessionSupervisor outdated = sessions.awaited();
        SessionSupervisor supervisor =
                new SessionSupervisor(terms.apply(definition), this, context, renewal, respected);
        sessions.add(supervisor);
        supervisor.start();
        if (outdated != null) {
            outdated.giveWayTo(supervisor);
        }
        return supervisor;
    }

    /**
     * Makes an opened session the current one and drains the previous one.
     *
     * @return false when the slot is retired; the session drains then
     */
    boolean adopt(SessionSupervisor supervisor, Session session) {
        lock.lock();
        try {
            sessions.opened(supervisor, session);
            session.follow(supervisor.definition());
            Session before = current;
            if (retired) {
                session.drain("the server is being retired", Duration.ZERO);
            } else if (before != null && session.key().isOlderThan(before.key())) {
                session.drain(session.key().replacedBy(before.key()), Duration.ZERO);
            } else {
                supervisor.renewal().ifPresent(renewal -> session.replace(renewal.expiring()));
                current = session;
                replacement.settle();
                if (before != null) {
                    supervisor
                            .renewal()
                            .ifPresentOrElse(
                                    renewal -> before.drain("replaced: " + renewal.reason()),
                                    () -> before.giveWayTo(session.key()));
                }
            }
            return !retired;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Removes a supervisor whose session is closed or did not open.
     *
     * @param retryAfter when to open another session, if the previous session serves calls until
     *     then
     */
    void remove(SessionSupervisor supervisor, Duration retryAfter) {
        boolean gone;
        Optional<Session> session;
        lock.lock();
        try {
            boolean awaited = sessions.awaited() == supervisor;
            session = sessions.remove(supervisor);
            if (session.isPresent() && session.get() == current) {
                current = null;
            }
            if (awaited) {
                keepServing(supervisor.definition(), retryAfter);
            }
            boolean empty = sessions.isEmpty();
            if (empty) {
                quota.giveBack();
            }
            gone = retired && empty;
        } finally {
            lock.unlock();
        }
        session.ifPresent(server::ended);
        if (gone) {
            server.slotIsGone();
        }
    }

    /**
     * Keeps the previous session open, because a replacement that does not open is no reason to
     * close it.
     */
    @GuardedBy("lock")
    private void keepServing(ServerDefinition definition, Duration retryAfter) {
        SessionKey wanted = definition.key();
        Session before = ready();
        if (before != null && !before.key().equals(wanted)) {
            if (before.key().isOfSameServer(wanted)) {
                replacement.failed(definition, retryAfter, this::tryAgain);
            } else {
                // It belonged to a deleted server of the same name.
                before.giveWayTo(wanted);
            }
        }
    }

    /**
     * Retries the opening, unless another definition is requested or no session is left to replace.
     */
    private void tryAgain(ServerDefinition definition) {
        lock.lock();
        try {
            if (sessions.awaited() == null
                    && replacement.isPending(definition.key())
                    && ready() != null) {
                start(definition, failed -> true);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Cancels openings, drains all sessions, and opens no more. Does not wait.
     *
     * @return the supervisors of the sessions that are not closed yet
     */
    List<SessionSupervisor> dismiss(Consumer<Session> drain) {
        lock.lock();
        try {
            retired = true;
            replacement.settle();
            return sessions.vacate(null, drain);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Cancels openings and drains all sessions before the next one opens.
     *
     * @param next null for all
     * @return the supervisors of the sessions that are not closed yet
     */
    List<SessionSupervisor> vacate(@Nullable SessionSupervisor next, Consumer<Session> drain) {
        lock.lock();
        try {
            return sessions.vacate(next, drain);
        } finally {
            lock.unlock();
        }
    }

    /** Returns all sessions, including those that are opening. */
    List<SessionInfo> infos() {
        List<Session> all;
        lock.lock();
        try {
            all = sessions.all();
        } finally {
            lock.unlock();
        }
        return all.stream().map(Session::info).toList();
    }
}
