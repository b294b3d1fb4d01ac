package dev.orloj.runtime.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.listing.ServerList;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.workload.LogBuffer;
import dev.orloj.runtime.workload.SecretValues;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Manages all sessions with one server, in slots: one slot for a server that handles concurrent
 * calls in one session, more for a server with several sessions ({@link
 * ServerDefinition#maxSessions}). The first slot is permanent; others are created when all slots
 * are busy, and closed when idle. Thread-safe; finding a slot takes no lock.
 */
final class ServerSessions {

    /** Idle timeout of additional slots for servers without an idle timeout. */
    private static final Duration SPARE_TIME = Duration.ofMinutes(1);

    private final ResourceKey server;
    private final SessionContext context;
    private final Consumer<ServerSessions> whenGone;
    private final LogBuffer log;
    private final AtomicInteger lastNumber = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private final SessionSlot first;
    private final OpeningTurns turns;
    private final OpeningFailures openingFailures;

    private final ServerTraits traits = new ServerTraits();

    /** The session that reported a change of each list last, until it is closed. */
    private final ConcurrentMap<ServerList, Session> announcers = new ConcurrentHashMap<>();

    private final OwnedSlots owned;

    /** The slots of {@link #owned} except the first; grows under the lock of this object. */
    private final List<SessionSlot> ownedSlots = new CopyOnWriteArrayList<>();

    /** Grows under the lock of this object. */
    private final List<SessionSlot> slots = new CopyOnWriteArrayList<>();

    /** Retired sessions of the same server that may not be closed yet. */
    private volatile @Nullable ServerSessions before;

    /** Changes under the lock of this object. */
    private volatile boolean retired = false;

    @GuardedBy("this")
    private SecretValues hidden = SecretValues.NONE;

    /**
     * @param before the sessions of the same server that were retired last; null when they are gone
     * @param whenGone called when all sessions are retired and closed
     */
    ServerSessions(
            ResourceKey server,
            @Nullable ServerSessions before,
            SessionContext context,
            Consumer<ServerSessions> whenGone) {
        this.server = server;
        this.before = before;
        this.context = context;
        this.whenGone = whenGone;
        this.turns = new OpeningTurns(context.clock());
        this.openingFailures = new OpeningFailures(context.random());
        this.log = new LogBuffer(context.clock());
        this.first = new SessionSlot(this, context, UnaryOperator.identity(), false);
        slots.add(first);
        this.owned = new OwnedSlots(first, this::addOwned);
    }

    private synchronized SessionSlot addOwned(UnaryOperator<ServerDefinition> terms) {
        SessionSlot slot = new SessionSlot(this, context, given -> terms.apply(spare(given)), true);
        ownedSlots.add(slot);
        if (retired) {
            slot.dismiss(session -> {});
        }
        return slot;
    }

    /** Returns the slots of clients that do not share sessions. */
    OwnedSlots owned() {
        return owned;
    }

    /** Returns all slots that may have a session. */
    private List<SessionSlot> all() {
        List<SessionSlot> all = new ArrayList<>(slots);
        all.addAll(ownedSlots);
        return all;
    }

    /** Returns what earlier sessions have shown about the server. */
    ServerTraits traits() {
        return traits;
    }

    OpeningTurns turns() {
        return turns;
    }

    /** Records the session, unless it is one of a user, whose lists others must not get. */
    void announced(Session session, ServerList list) {
        if (session.key().subject().isEmpty()) {
            announcers.put(list, session);
        }
    }

    /** Returns the open session that reported a change of this list last, for any owner. */
    @Nullable Session announcer(ServerList list) {
        Session session = announcers.get(list);
        return session != null && session.isReady() ? session : null;
    }

    /**
     * Records that the session is closed. The lists that were read from it change back to those of
     * another session.
     */
    void ended(Session session) {
        for (ServerList list : ServerList.values()) {
            if (announcers.remove(list, session) && list != ServerList.TOOLS) {
                context.notifyListener(
                        server, listener -> listener.notified(server, list.notification(), null));
            }
        }
    }

    ResourceKey server() {
        return server;
    }

    LogBuffer log() {
        return log;
    }

    /**
     * Hides the values that the next session gets in the log, beside those of the sessions before,
     * whose processes may still run.
     */
    synchronized void hide(SecretValues values) {
        if (!values.equals(hidden)) {
            log.hide(values.and(hidden));
            hidden = values;
        }
    }

    String nextId() {
        return server + "#" + lastNumber.incrementAndGet();
    }

    void countFailure() {
        failures.incrementAndGet();
    }

    /** Returns the number of sessions that were open and failed. */
    int failures() {
        return failures.get();
    }

    /** Returns the openings that failed. */
    OpeningFailures openingFailures() {
        return openingFailures;
    }

    boolean isRetired() {
        return retired;
    }

    /**
     * Replaces sessions whose containers run another image. The key does not contain the image: it
     * was created before the tag was resolved.
     */
    void followImage(Session latest) {
        Optional<String> image = latest.image();
        for (SessionSlot slot : all()) {
            Session other = slot.ready();
            if (other != null
                    && other != latest
                    && other.key().equals(latest.key())
                    && !other.image().equals(image)) {
                other.supersede("its image tag stands for another image now");
            }
        }
    }

    /** Returns the slot that several clients may share. */
    SessionSlot first() {
        return first;
    }

    /** Returns a session that serves calls now. */
    @Nullable Session ready() {
        for (SessionSlot slot : slots) {
            Session session = slot.ready();
            if (session != null) {
                return session;
            }
        }
        return null;
    }

    /**
     * Returns a free slot, preferably with an open session; at the maximum number of slots, the
     * least busy one. Each call requires a call of {@link SessionSlot#leave}.
     */
    SessionSlot enter(int maxSlots) {
        List<SessionSlot> open = slots.subList(0, Math.min(maxSlots, slots.size()));
        for (SessionSlot slot : open) {
            if (slot.ready() != null && slot.enterAlone()) {
                return slot;
            }
        }
        for (SessionSlot slot : open) {
            if (slot.enterAlone()) {
                return slot;
            }
        }
        SessionSlot added = open.size() < maxSlots ? add(maxSlots) : null;
        return added == null ? enterLeastBusy(open) : added;
    }

    /** Returns the least busy slot with an open session; null when no session is open. */
    @Nullable SessionSlot enterOpen() {
        List<SessionSlot> open = slots.stream().filter(slot -> slot.ready() != null).toList();
        return open.isEmpty() ? null : enterLeastBusy(open);
    }

    private static SessionSlot enterLeastBusy(List<SessionSlot> slots) {
        SessionSlot least = slots.getFirst();
        for (SessionSlot slot : slots) {
            if (slot.users() < least.users()) {
                least = slot;
            }
        }
        least.enter();
        return least;
    }

    private synchronized @Nullable SessionSlot add(int maxSlots) {
        if (retired || slots.size() >= maxSlots) {
            return null;
        }
        SessionSlot slot = new SessionSlot(this, context, ServerSessions::spare, false);
        slot.enter();
        slots.add(slot);
        return slot;
    }

    private static ServerDefinition spare(ServerDefinition definition) {
        return definition.timeouts().idle().isPositive()
                ? definition
                : definition.withIdleTimeout(SPARE_TIME);
    }

    /** Returns the sessions that may be closed when idle, with their slots. */
    Map<Session, SessionSlot> sleepy() {
        Map<Session, SessionSlot> found = new LinkedHashMap<>();
        for (SessionSlot slot : all()) {
            Session session = slot.ready();
            if (session != null && session.definition().timeouts().idle().isPositive()) {
                found.put(session, slot);
            }
        }
        return found;
    }

    /** Applies a changed definition to open sessions, and closes surplus slots. */
    void follow(ServerDefinition definition) {
        int number = 0;
        for (SessionSlot slot : slots) {
            Session spare = number < definition.sharing().maxSessions() ? null : slot.ready();
            if (number < definition.sharing().maxSessions()) {
                slot.follow(definition);
            } else if (spare != null) {
                spare.drain("max_sessions is %d".formatted(definition.sharing().maxSessions()));
            }
            number++;
        }
        ownedSlots.forEach(slot -> slot.follow(definition));
    }

    /**
     * Cancels openings, drains all sessions, and opens no more. Does not wait.
     *
     * @return the supervisors of the sessions that are not closed yet
     */
    List<SessionSupervisor> dismiss(String reason) {
        return dismiss(session -> session.drain(reason));
    }

    /** Does the same as {@link #dismiss(String)}, with another drain timeout. */
    List<SessionSupervisor> dismiss(String reason, Duration drainTimeout) {
        return dismiss(session -> session.drain(reason, drainTimeout));
    }

    private List<SessionSupervisor> dismiss(Consumer<Session> drain) {
        synchronized (this) {
            retired = true;
        }
        List<SessionSupervisor> left = new ArrayList<>();
        ServerSessions earlier = before;
        if (earlier != null) {
            left.addAll(earlier.dismiss(drain));
        }
        all().forEach(slot -> left.addAll(slot.dismiss(drain)));
        // Slots without a session have no supervisor to report it.
        slotIsGone();
        return left;
    }

    /** Drains all other sessions with the server and waits until they are closed. */
    void makeWayFor(SessionSupervisor next, String reason) throws InterruptedException {
        ServerSessions earlier = before;
        List<SessionSupervisor> others = new ArrayList<>();
        if (earlier != null) {
            // They are already draining.
            others.addAll(earlier.dismiss(session -> {}));
        }
        all().forEach(slot -> others.addAll(slot.vacate(next, session -> session.drain(reason))));
        for (SessionSupervisor other : others) {
            other.awaitGone();
        }
        before = null;
    }

    /** Handles a slot without sessions. */
    void slotIsGone() {
        if (isGone()) {
            whenGone.accept(this);
        }
    }

    /** Returns whether all sessions are closed, including earlier ones. */
    boolean isGone() {
        ServerSessions earlier = before;
        if (earlier != null && !earlier.isGone()) {
            return false;
        }
        before = null;
        return all().stream().allMatch(SessionSlot::isGone);
    }

    /** Returns all sessions, including those that are opening. */
    List<SessionInfo> infos() {
        return all().stream().flatMap(slot -> slot.infos().stream()).toList();
    }
}
