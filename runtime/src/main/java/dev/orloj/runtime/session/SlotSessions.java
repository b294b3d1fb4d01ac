package dev.orloj.runtime.session;

import dev.orloj.runtime.session.definition.ServerDefinition;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The sessions of one slot with their supervisors: those that are opening, and those that are open
 * or closing. All methods require the lock of the slot.
 */
final class SlotSessions {

    private final Set<SessionSupervisor> opening = new LinkedHashSet<>();

    /** Open sessions and those that are closing. */
    private final Map<SessionSupervisor, Session> opened = new LinkedHashMap<>();

    private @Nullable SessionSupervisor awaited;

    /** Returns the opening that new calls wait for; null when there is none. */
    @Nullable SessionSupervisor awaited() {
        return awaited;
    }

    /** Adds an opening that new calls wait for from now on. */
    void add(SessionSupervisor supervisor) {
        opening.add(supervisor);
        awaited = supervisor;
    }

    /** Records that the supervisor has opened this session. */
    void opened(SessionSupervisor supervisor, Session session) {
        endOpening(supervisor);
        opened.put(supervisor, session);
    }

    /**
     * @return the session of the supervisor; empty when it did not open
     */
    Optional<Session> remove(SessionSupervisor supervisor) {
        endOpening(supervisor);
        return Optional.ofNullable(opened.remove(supervisor));
    }

    private void endOpening(SessionSupervisor supervisor) {
        opening.remove(supervisor);
        awaited = awaited == supervisor ? null : awaited;
    }

    boolean isEmpty() {
        return opening.isEmpty() && opened.isEmpty();
    }

    /** Returns the supervisor of an open or closing session. */
    Optional<SessionSupervisor> supervisorOf(Session session) {
        return opened.entrySet().stream()
                .filter(entry -> entry.getValue() == session)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Applies a changed definition to all sessions of its key. */
    void follow(ServerDefinition changed) {
        opening.stream()
                .filter(supervisor -> supervisor.key().equals(changed.key()))
                .forEach(supervisor -> supervisor.follow(changed));
        opened.values().stream()
                .filter(session -> session.key().equals(changed.key()))
                .forEach(session -> session.follow(changed));
    }

    /**
     * Cancels the openings before the next one, and drains all open sessions.
     *
     * @param next null for all
     * @return the supervisors of the sessions that are not closed yet
     */
    List<SessionSupervisor> vacate(@Nullable SessionSupervisor next, Consumer<Session> drain) {
        List<SessionSupervisor> left =
                new ArrayList<>(opening.stream().takeWhile(each -> each != next).toList());
        left.forEach(SessionSupervisor::cancelOpening);
        opened.values().forEach(drain);
        left.addAll(opened.keySet());
        return left;
    }

    /** Returns all sessions, including those that are opening. */
    List<Session> all() {
        List<Session> sessions = new ArrayList<>(opened.values());
        opening.forEach(supervisor -> supervisor.attempt().ifPresent(sessions::add));
        return sessions;
    }
}
