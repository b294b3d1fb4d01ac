package dev.orloj.runtime.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.runtime.client.SessionClients;
import dev.orloj.runtime.client.SessionOwnership;
import dev.orloj.runtime.isolation.Isolation;
import dev.orloj.runtime.isolation.SessionScope;
import dev.orloj.runtime.limit.Limit;
import dev.orloj.runtime.limit.LimitReachedException;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.subject.SubjectIdentifier;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/**
 * The slots of a server whose clients do not share sessions. A slot has one owner at a time. A new
 * owner gets a new session, because the server may still send messages for the previous owner. A
 * client that was alone in the shared slot keeps it. Thread-safe.
 */
final class OwnedSlots {

    /** A slot and its owner. */
    private static final class Seat {

        private final SessionSlot slot;
        private @Nullable Object owner;
        private int users;
        private long lastUse;

        /** The user whose requests the sessions of the slot send; null for orlojd itself. */
        private volatile @Nullable SubjectIdentifier subject;

        Seat(SessionSlot slot) {
            this.slot = slot;
        }

        Seat(SlotMaker maker) {
            this.slot = maker.make(this::adapted);
        }

        private ServerDefinition adapted(ServerDefinition definition) {
            SubjectIdentifier user = subject;
            return user == null ? definition : definition.onBehalfOf(user);
        }
    }

    /** Creates slots. */
    @FunctionalInterface
    interface SlotMaker {

        /**
         * @param terms adapts the definition of the server to the owner of the slot
         */
        SessionSlot make(UnaryOperator<ServerDefinition> terms);
    }

    private final SlotMaker maker;
    private final Seat shared;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();

    @GuardedBy("lock")
    private final List<Seat> seats = new ArrayList<>();

    @GuardedBy("lock")
    private long uses;

    /**
     * @param shared the permanent slot
     * @param maker creates further slots
     */
    OwnedSlots(SessionSlot shared, SlotMaker maker) {
        this.shared = new Seat(shared);
        this.maker = maker;
    }

    /**
     * Returns a slot of this owner. Each call requires a call of {@link #leave}.
     *
     * @throws LimitReachedException when other clients use all allowed slots
     */
    SessionSlot enter(Object owner, ServerDefinition definition) throws InterruptedException {
        Isolation isolation = definition.sharing().isolation();
        boolean alone = isolation.scope() == SessionScope.CALL;
        Duration wait = definition.limits().queueTimeout();
        long nanos = wait.toNanos();
        lock.lockInterruptibly();
        try {
            Optional<Seat> found = find(owner, alone, definition);
            while (found.isEmpty()) {
                if (nanos <= 0) {
                    throw new LimitReachedException(
                            Limit.MAX_SESSIONS,
                            "spec.max_sessions lets it have %d sessions at a time, which other clients use, and a client does not share one; none got free within %d ms"
                                    .formatted(isolation.most(), wait.toMillis()),
                            wait);
                }
                nanos = freed.awaitNanos(nanos);
                found = find(owner, alone, definition);
            }
            Seat seat = found.get();
            seat.owner = owner;
            seat.subject = definition.key().subject().orElse(null);
            seat.users++;
            return seat.slot;
        } finally {
            lock.unlock();
        }
    }

    void leave(SessionSlot slot) {
        lock.lock();
        try {
            Seat seat = slot == shared.slot ? shared : seatOf(slot);
            seat.users--;
            seat.lastUse = uses++;
            if (seat != shared
                    && seat.users == 0
                    && seat.owner != null
                    && SessionOwnership.isPassing(seat.owner)) {
                vacate(seat);
            }
            freed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private Seat seatOf(SessionSlot slot) {
        return seats.stream().filter(seat -> seat.slot == slot).findFirst().orElseThrow();
    }

    @GuardedBy("lock")
    private Optional<Seat> find(Object owner, boolean alone, ServerDefinition definition) {
        int most = definition.sharing().isolation().most();
        if (!definition.isOfUser() && (!alone || shared.users == 0) && isOpenTo(owner)) {
            return Optional.of(shared);
        }
        Optional<Seat> own =
                seats.stream()
                        .filter(seat -> owner.equals(seat.owner))
                        .filter(seat -> !alone || seat.users == 0)
                        .findFirst();
        if (own.isPresent()) {
            return own;
        }
        Optional<Seat> free = free();
        if (free.isPresent() && free.get().owner == null) {
            return free;
        }
        if (seats.size() < Math.max(1, most - 1)) {
            Seat added = new Seat(maker);
            seats.add(added);
            return Optional.of(added);
        }
        free.ifPresent(OwnedSlots::vacate);
        return free;
    }

    /** Returns whether the shared slot has a session that served no other client. */
    @GuardedBy("lock")
    private boolean isOpenTo(Object owner) {
        Session session = shared.slot.ready();
        if (session == null || session.clients() instanceof SessionClients.None) {
            return shared.users == 0 || owner.equals(shared.owner);
        }
        return switch (session.clients()) {
            case SessionClients.None _ -> true;
            case SessionClients.One(Object one) -> owner.equals(one);
            case SessionClients.Several _ -> SessionOwnership.hasNoListener(owner);
        };
    }

    /**
     * Returns an unused slot: one without an owner if possible, else the least recently used one.
     */
    @GuardedBy("lock")
    private Optional<Seat> free() {
        return seats.stream()
                .filter(seat -> seat.users == 0)
                .min(
                        Comparator.<Seat, Boolean>comparing(seat -> seat.owner != null)
                                .thenComparing(seat -> seat.lastUse));
    }

    private static void vacate(Seat seat) {
        seat.owner = null;
        Session session = seat.slot.ready();
        if (session != null) {
            session.drain("its client is done, or has given way to another", Duration.ZERO);
        }
    }
}
