package dev.orloj.server.replica;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.client.LogLevel;
import dev.orloj.runtime.client.LogListener;
import dev.orloj.runtime.client.ProgressListener;

import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * What the replica that carries out a call says to the one that asked for it meanwhile: how far the
 * call has come, as the server said it, or what the server logs, in an object of its own.
 */
public final class CallNotifications {

    private static final String LOGGED = "logged";

    private CallNotifications() {}

    /** Hands news on to those whom they concern. */
    public static void dispatch(
            ObjectNode notification, ProgressListener progress, LogListener logs) {
        if (notification.path(LOGGED) instanceof ObjectNode logged && notification.size() == 1) {
            logs.logged(logged);
        } else {
            progress.progressed(notification);
        }
    }

    /**
     * Tells the other replica what is logged.
     *
     * @param level that was asked for there
     */
    public static LogListener logs(Optional<LogLevel> level, Consumer<ObjectNode> notification) {
        return new LogListener() {

            @Override
            public Optional<LogLevel> level() {
                return level;
            }

            @Override
            public void logged(ObjectNode params) {
                ObjectNode wrapped = Json.MAPPER.createObjectNode();
                wrapped.set(LOGGED, params);
                notification.accept(wrapped);
            }
        };
    }
}
