package dev.orloj.server.mcp.subscriptions;

import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;

import java.util.Set;

/**
 * Decides which notifications may be dropped for a slow client: no request depends on them, and
 * later ones follow.
 */
public final class DroppableNotifications {

    private static final Set<String> METHODS =
            Set.of("notifications/progress", "notifications/message");

    private DroppableNotifications() {}

    public static boolean canBeMissed(JsonRpcMessage message) {
        return message instanceof Notification notification
                && METHODS.contains(notification.method());
    }
}
