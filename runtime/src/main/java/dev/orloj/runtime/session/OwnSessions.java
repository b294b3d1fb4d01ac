package dev.orloj.runtime.session;

import dev.orloj.runtime.session.definition.ServerDefinition;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/**
 * Supplies the sessions of one client for one piece of work: in a slot of its own or, after that
 * slot is retired, in a later one. For one thread.
 */
final class OwnSessions implements SessionRegistry.Source {

    private final SessionRegistry registry;
    private final Object owner;
    private final ServerDefinition definition;
    private @Nullable SessionSlot slot;

    OwnSessions(SessionRegistry registry, Object owner, ServerDefinition definition) {
        this.registry = registry;
        this.owner = owner;
        this.definition = definition;
    }

    @Override
    public Session get() throws InterruptedException {
        while (true) {
            ServerSessions sessions = registry.sessionsOf(definition.server());
            if (registry.isClosed() || !sessions.traits().isolates(definition)) {
                return registry.session(definition);
            }
            SessionSlot entered = slot;
            if (entered == null) {
                entered = sessions.owned().enter(owner, definition);
                slot = entered;
            }
            Optional<Session> session = registry.find(entered, definition);
            if (session.isPresent()) {
                return session.get();
            }
            leave();
        }
    }

    void leave() {
        SessionSlot entered = slot;
        if (entered != null) {
            slot = null;
            entered.server().owned().leave(entered);
        }
    }
}
