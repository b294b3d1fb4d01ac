package dev.orloj.server.replica;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.client.LogLevel;
import dev.orloj.runtime.client.LogListener;
import dev.orloj.runtime.client.ProgressListener;

import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * Encodes the notifications that a replica sends to the requesting replica during a forwarded call:
 * progress notifications of the server as they are, log messages wrapped in an object.
 */
public final class CallNotifications {

    private static final String LOGGED = "logged";

    private CallNotifications() {}

    /** Passes a notification to the listener of its type. */
    public static void dispatch(
            ObjectNode notification, ProgressListener progress, LogListener logs) {
        if (notification.path(LOGGED) instanceof ObjectNode logged && notification.size() == 1) {
            logs.logged(logged);
        } else {
            progress.progressed(notification);
        }
    }

    /**
     * Creates a listener that sends log messages to the other replica.
     *
     * @param level the level that the other replica requested
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
