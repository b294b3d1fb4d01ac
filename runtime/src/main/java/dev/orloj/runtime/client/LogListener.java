package dev.orloj.runtime.client;

import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;

/** Hears what a server logs while it works on one request. */
public interface LogListener {

    /** The notification that a server logs with. */
    String METHOD = "notifications/message";

    /** Nobody: what is logged is for whoever listens to the server. */
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

    /** Whether anything of what is logged may reach somebody. */
    default boolean isListening() {
        return true;
    }

    /** What a server is asked to log from on, where each request says so; empty for nothing. */
    Optional<LogLevel> level();

    /**
     * Called on the thread that reads from the server: an implementation returns at once. The level
     * may be any, as older servers have one for all.
     *
     * @param params of {@code notifications/message}, as received
     */
    void logged(ObjectNode params);
}
