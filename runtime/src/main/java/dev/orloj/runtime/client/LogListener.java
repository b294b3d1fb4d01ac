package dev.orloj.runtime.client;

import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;

/** Receives what a server logs while it handles one request. */
public interface LogListener {

    /** The notification that a server logs with. */
    String METHOD = "notifications/message";

    /** Ignores messages; they go to the listeners of the server. */
    LogListener NONE =
            new LogListener() {

                @Override
                public Optional<LogLevel> level() {
                    return Optional.empty();
                }

                @Override
                public void logged(ObjectNode params) {}

                @Override
                public boolean isListening() {
                    return false;
                }
            };

    /** Whether any log message may reach a client. */
    default boolean isListening() {
        return true;
    }

    /**
     * The minimum level sent with each request in revisions that have it there; empty for no logs.
     */
    Optional<LogLevel> level();

    /**
     * Handles one message on the thread that reads from the server; must return at once. The level
     * may be any, since older servers have one level for the whole session.
     *
     * @param params of {@code notifications/message}, as received
     */
    void logged(ObjectNode params);
}
