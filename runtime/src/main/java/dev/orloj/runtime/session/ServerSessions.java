package dev.orloj.runtime.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.workload.LogBuffer;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * All sessions with one server: the current one, the one that is being opened, and those on their
 * way out. Thread-safe; the lock is held for bookkeeping only, never while something blocks.
 */
final class ServerSessions {

    /** When a replacement that did not open is tried again without anybody's asking. */
    private static final Duration NEXT_TRY = Duration.ofMinutes(1);

    private final ResourceKey server;
    private final SessionContext context;
    private final Consumer<ServerSessions> whenGone;
    private final LogBuffer log;
    private final AtomicInteger lastNumber = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();

    /** Read without the lock on every call. */
    private volatile @Nullable Session current;

    /** What was to replace the current session and did not open. */
    private volatile @Nullable SessionKey notOpened;

    /** What is known to want {@code initialize}, and need not be asked what it speaks. */
    private volatile @Nullable SessionKey legacy;

    /** What new callers wait for. */
    @GuardedBy("lock")
    private @Nullable SessionKeeper opening;

    @GuardedBy("lock")
    private final Set<SessionKeeper> openings = new LinkedHashSet<>();

    /** Sessions that were opened and of which something is left. */
    @GuardedBy("lock")
    private final Map<SessionKeeper, Session> opened = new LinkedHashMap<>();

    private final AtomicInteger failures = new AtomicInteger();

    private volatile boolean retired = false;

    /**
     * @param whenGone hears when everything has been retired and nothing is left
     */
    ServerSessions(ResourceKey server, SessionContext context, Consumer<ServerSessions> whenGone) {
        this.server = server;
        this.context = context;
        this.whenGone = whenGone;
        this.log = new LogBuffer(context.clock());
    }

    ResourceKey server() {
        return server;
    }

    LogBuffer log() {
        return log;
    }

    String nextId() {
        return server + "#" + lastNumber.incrementAndGet();
    }

    void rememberAsLegacy(SessionKey key) {
        legacy = key;
    }

    boolean isKnownAsLegacy(SessionKey key) {
        return key.equals(legacy);
    }

    void countFailure() {
        failures.incrementAndGet();
    }

    /** How many sessions were open and have ended by themselves. */
    int failures() {
        return failures.get();
    }

    boolean isRetired() {
        return retired;
    }

    @Nullable Session ready() {
        Session session = current;
        return session != null && session.isReady() ? session : null;
    }

    /**
     * The current session, if it serves this definition, which it follows. Somebody who still holds
     * an earlier generation is served by the newer one: the server must not go back and forth.
     */
    @Nullable Session warm(ServerDefinition definition) {
        Session session = current;
        SessionKey key = definition.key();
        if (session == null || !session.isReady() || !serves(session.key(), key)) {
            return null;
        }
        if (session.key().equals(key) && session.key().generation() < key.generation()) {
            session.follow(definition);
        }
        return session;
    }

    /**
     * The session that serves calls for this definition at once: the warm one, or, when the server
     * did not open as it is wanted now, the one before, which goes on.
     */
    @Nullable Session serving(ServerDefinition definition) {
        Session warm = warm(definition);
        return warm == null && definition.key().equals(notOpened) ? ready() : warm;
    }

    /**
     * The warm session, or the one that is being opened for this key, by this caller if by nobody
     * else.
     *
     * @return empty when retired meanwhile
     */
    Optional<Session> obtain(ServerDefinition definition) throws InterruptedException {
        SessionKeeper keeper;
        lock.lock();
        try {
            if (retired) {
                return Optional.empty();
            }
            Session warm = warm(definition);
            if (warm != null) {
                return Optional.of(warm);
            }
            keeper = opening;
            if (keeper == null || !serves(keeper.key(), definition.key())) {
                keeper = open(definition, null);
            }
        } finally {
            lock.unlock();
        }
        return Optional.of(keeper.awaitOpened());
    }

    /**
     * Opens a session that takes the place of the worn one, which serves until then. Does nothing
     * when that is on its way out, or is being replaced already.
     */
    void renew(SessionKeeper.Renewal renewal) {
        lock.lock();
        try {
            if (retired || opening != null || !renewal.worn().isReady()) {
                return;
            }
            if (renewal.worn() != current) {
                // It has hardly opened yet.
                renewal.worn().goOn();
                return;
            }
            open(renewal.worn().definition(), renewal);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Lets what is open, or is being opened, follow a changed definition. Where the connection is
     * another one, a session is opened that takes the place of the current one.
     */
    void follow(ServerDefinition definition) {
        lock.lock();
        try {
            SessionKey key = definition.key();
            openings.stream().filter(k -> k.key().equals(key)).forEach(k -> k.follow(definition));
            opened.values().stream()
                    .filter(session -> session.key().equals(key))
                    .forEach(session -> session.follow(definition));
            Session before = ready();
            if (before != null && isSuccessor(key, before.key())) {
                replaceBy(definition);
            }
        } finally {
            lock.unlock();
        }
    }

    private static boolean isSuccessor(SessionKey key, SessionKey of) {
        return key.serverUid().equals(of.serverUid()) && !serves(of, key);
    }

    @GuardedBy("lock")
    private void replaceBy(ServerDefinition definition) {
        SessionKeeper underWay = opening;
        if (!retired && (underWay == null || !serves(underWay.key(), definition.key()))) {
            open(definition, null);
        }
    }

    /** Opens a session, in the place of the one that is being opened. */
    @GuardedBy("lock")
    private SessionKeeper open(
            ServerDefinition definition, SessionKeeper.@Nullable Renewal renewal) {
        SessionKeeper outdated = opening;
        SessionKeeper keeper = new SessionKeeper(definition, this, context, renewal);
        openings.add(keeper);
        opening = keeper;
        keeper.start();
        if (outdated != null) {
            outdated.giveWayTo(keeper);
        }
        return keeper;
    }

    /**
     * Makes an opened session the current one and drains the one before.
     *
     * @return false when everything has been retired meanwhile; the session drains then
     */
    boolean adopt(SessionKeeper keeper, Session session) {
        lock.lock();
        try {
            openings.remove(keeper);
            opened.put(keeper, session);
            session.follow(keeper.definition());
            if (opening == keeper) {
                opening = null;
            }
            Session before = current;
            if (retired) {
                session.drain("the server is being retired", Duration.ZERO);
            } else if (before != null && session.key().isOlderThan(before.key())) {
                session.drain(replacedBy(before.key(), session.key()), Duration.ZERO);
            } else {
                keeper.renewal().ifPresent(renewal -> session.replace(renewal.worn()));
                current = session;
                notOpened = null;
                if (before != null) {
                    keeper.renewal()
                            .ifPresentOrElse(
                                    renewal -> before.drain("replaced: " + renewal.reason()),
                                    () -> replace(before, session.key()));
                }
            }
            return !retired;
        } finally {
            lock.unlock();
        }
    }

    /** Forgets a keeper whose session is gone, or never came to be. */
    void remove(SessionKeeper keeper) {
        boolean gone;
        lock.lock();
        try {
            openings.remove(keeper);
            Session session = opened.remove(keeper);
            if (session != null && session == current) {
                current = null;
            }
            if (opening == keeper) {
                opening = null;
                keepServing(keeper.definition());
            }
            gone = retired && openings.isEmpty() && opened.isEmpty();
        } finally {
            lock.unlock();
        }
        if (gone) {
            whenGone.accept(this);
        }
    }

    /** What is wanted now does not open, which is no reason to end what works. */
    @GuardedBy("lock")
    private void keepServing(ServerDefinition definition) {
        SessionKey wanted = definition.key();
        Session before = ready();
        if (before != null && !before.key().equals(wanted)) {
            if (before.key().serverUid().equals(wanted.serverUid())) {
                notOpened = wanted;
                context.clock().ring(NEXT_TRY, () -> tryAgain(definition));
            } else {
                // That was another server of the same name.
                replace(before, wanted);
            }
        }
    }

    /** Unless something else is wanted meanwhile, or nothing serves that could be replaced. */
    private void tryAgain(ServerDefinition definition) {
        lock.lock();
        try {
            if (opening == null && definition.key().equals(notOpened) && ready() != null) {
                replaceBy(definition);
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void replace(Session before, SessionKey key) {
        if (!before.key().equals(key)) {
            before.drain(replacedBy(key, before.key()));
        }
    }

    private static String replacedBy(SessionKey key, SessionKey before) {
        return key.generation() == before.generation()
                ? "replaced: a value that it uses has changed, or a restart was asked for"
                : "replaced by generation " + key.generation();
    }

    /**
     * Breaks off openings and drains all sessions; nothing is opened any more. Does not wait.
     *
     * @return the keepers of what is left
     */
    List<SessionKeeper> dismiss(String reason) {
        return dismiss(session -> session.drain(reason));
    }

    /** As above, with a time of its own for the calls in flight. */
    List<SessionKeeper> dismiss(String reason, Duration drainTimeout) {
        return dismiss(session -> session.drain(reason, drainTimeout));
    }

    private List<SessionKeeper> dismiss(Consumer<Session> drain) {
        lock.lock();
        try {
            retired = true;
            openings.forEach(SessionKeeper::cancelOpening);
            opened.values().forEach(drain);
            List<SessionKeeper> left = new ArrayList<>(openings);
            left.addAll(opened.keySet());
            return left;
        } finally {
            lock.unlock();
        }
    }

    /** Of sessions that are being opened too. */
    List<SessionInfo> infos() {
        List<Session> sessions;
        lock.lock();
        try {
            sessions = new ArrayList<>(opened.values());
            for (SessionKeeper keeper : openings) {
                keeper.attempt().ifPresent(sessions::add);
            }
        } finally {
            lock.unlock();
        }
        return sessions.stream().map(Session::info).toList();
    }

    private static boolean serves(SessionKey offered, SessionKey wanted) {
        return offered.equals(wanted) || wanted.isOlderThan(offered);
    }
}
