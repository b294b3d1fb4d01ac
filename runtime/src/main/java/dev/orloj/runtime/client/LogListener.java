package dev.orloj.runtime.client;

import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;

/** Receives what a server logs while it handles one request. */
public interface LogListener {

    /** The method of a server's log notification. */
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

    /** Returns whether any log message may reach a client. */
    default boolean isListening() {
        return true;
    }

    /**
     * Returns the minimum level, for revisions that send it with each request; empty for no logs.
     */
    Optional<LogLevel> level();

    /**
     * Handles one message on the thread that reads from the server; must return at once. The level
     * may be any level, because older servers have one level for the whole session.
     *
     * @param params of {@code notifications/message}, as received
     */
    void logged(ObjectNode params);
}
