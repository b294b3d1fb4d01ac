package dev.orloj.controllers.mcpserver;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.session.ServerDefinition;
import dev.orloj.runtime.session.Session;
import dev.orloj.runtime.session.SessionManager;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Waits for sessions to open, which may take minutes, and stops waiting as soon as somebody says
 * that this session is no longer wanted: a repaired manifest does not wait for the broken one. Safe
 * for many threads.
 */
final class SessionOpener {

    private final SessionManager sessions;
    private final ConcurrentMap<ResourceKey, Wait> waits = new ConcurrentHashMap<>();

    SessionOpener(SessionManager sessions) {
        this.sessions = sessions;
    }

    /**
     * The session for the definition.
     *
     * @return empty when it was superseded meanwhile
     * @throws dev.orloj.runtime.session.SessionOpenException when it does not open
     */
    Optional<Session> open(ServerDefinition definition) throws InterruptedException {
        Wait wait = new Wait(Thread.currentThread());
        waits.put(definition.server(), wait);
        try {
            return Optional.of(sessions.sessionFor(definition));
        } catch (InterruptedException e) {
            if (wait.isSuperseded()) {
                return Optional.empty();
            }
            throw e;
        } finally {
            wait.end();
            waits.remove(definition.server(), wait);
        }
    }

    /** Whoever waits for a session with the server goes on without one. */
    void supersede(ResourceKey server) {
        Wait wait = waits.get(server);
        if (wait != null) {
            wait.supersede();
        }
    }

    /** One thread that waits. It is interrupted while it waits or not at all. */
    private static final class Wait {

        private final Thread thread;

        @GuardedBy("this")
        private boolean over;

        @GuardedBy("this")
        private boolean superseded;

        Wait(Thread thread) {
            this.thread = thread;
        }

        synchronized void supersede() {
            if (!over) {
                superseded = true;
                thread.interrupt();
            }
        }

        synchronized boolean isSuperseded() {
            return superseded;
        }

        synchronized void end() {
            over = true;
            if (superseded) {
                // The interrupt was meant for the wait; it may have come after its end.
                Thread.interrupted();
            }
        }
    }
}
