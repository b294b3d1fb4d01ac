package dev.orloj.runtime.session;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.clock.Scheduler;
import dev.orloj.runtime.code.CodeGate;
import dev.orloj.runtime.limit.ProcessQuota;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.session.definition.SessionSettings;
import dev.orloj.runtime.start.Starts;
import dev.orloj.runtime.transport.Transports;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** The services that all sessions share. */
record SessionContext(
        Transports transports,
        SessionListener listener,
        Scheduler clock,
        RandomGenerator random,
        SessionSettings settings,
        ProcessQuota quota,
        SingletonTerm singletons,
        Starts starts,
        CodeGate gate) {

    private static final Logger log = LoggerFactory.getLogger(SessionContext.class);

    /** Returns the same services for sessions beside the usual ones: no gate decides about them. */
    SessionContext beside(SessionListener replacement) {
        return new SessionContext(
                transports,
                replacement,
                clock,
                random,
                settings,
                quota,
                singletons,
                starts,
                CodeGate.OPEN);
    }

    /**
     * Calls the listener with the state of a session, unless the session is one of a user: it says
     * nothing about the server, or about what other users get.
     */
    void notifyState(ServerDefinition definition, Consumer<SessionListener> message) {
        if (!definition.isOfUser()) {
            notifyListener(definition.server(), message);
        }
    }

    /** Calls the listener; its failure must not affect the session. */
    void notifyListener(ResourceKey server, Consumer<SessionListener> message) {
        try {
            message.accept(listener);
        } catch (RuntimeException | Error e) {
            log.atError().addKeyValue("server", server).setCause(e).log("Session listener failed");
        }
    }
}
