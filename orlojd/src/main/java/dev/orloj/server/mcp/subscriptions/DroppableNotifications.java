package dev.orloj.server.mcp.subscriptions;

import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;

import java.util.Set;

/** What an agent that is too slow can do without: nobody waits for it, and more comes after it. */
public final class DroppableNotifications {

    private static final Set<String> METHODS =
            Set.of("notifications/progress", "notifications/message");

    private DroppableNotifications() {}

    public static boolean canBeMissed(JsonRpcMessage message) {
        return message instanceof Notification notification
                && METHODS.contains(notification.method());
    }
}
