package dev.orloj.controllers.mcpserver;

import static dev.orloj.api.v1.McpServer.CONNECTED;
import static dev.orloj.api.v1.McpServer.READY;
import static dev.orloj.api.v1.McpServer.TOOLS_SYNCED;

import dev.orloj.api.Condition;
import dev.orloj.api.Conditions;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;

import java.util.Set;

/** What the status of a server says already, before it is observed again. */
final class KnownStatus {

    /** What says that opening a session was tried, and does not work. */
    private static final Set<String> NOT_CONNECTABLE =
            Set.of(
                    ServerStatus.CONNECT_FAILED,
                    ServerStatus.CRASH_LOOP,
                    ServerStatus.CONTAINER_GONE);

    private KnownStatus() {}

    /** Whether the tools of the present generation were listed and could be called. */
    static boolean isSettled(McpServer server) {
        McpServerStatus status = server.status();
        return status.observedGeneration() == server.metadata().generation()
                && Conditions.isTrue(status.conditions(), TOOLS_SYNCED)
                && Conditions.isTrue(status.conditions(), READY)
                && !isServedAsBefore(status);
    }

    /** Whether the way to the server leads back here. */
    static boolean isLoop(McpServer server) {
        return Conditions.find(server.status().conditions(), TOOLS_SYNCED)
                .filter(c -> c.reason().equals(ServerStatus.GATEWAY_LOOP))
                .isPresent();
    }

    static boolean isServedAsBefore(McpServerStatus status) {
        return Conditions.find(status.conditions(), READY)
                .filter(c -> c.reason().equals(ServerStatus.SERVED_AS_BEFORE))
                .isPresent();
    }

    /** Whether it has been said of this generation that no session opens, or none stays. */
    static boolean isKnownToFail(McpServer server) {
        McpServerStatus status = server.status();
        return status.observedGeneration() == server.metadata().generation()
                && Conditions.find(status.conditions(), CONNECTED)
                        .filter(c -> NOT_CONNECTABLE.contains(c.reason()))
                        .isPresent();
    }

    /** Whether it has been said that the tools cannot be listed, or not be written. */
    static boolean isListingFailed(McpServer server) {
        return Conditions.find(server.status().conditions(), TOOLS_SYNCED)
                .filter(c -> c.status() == Condition.Status.FALSE)
                .isPresent();
    }

    /** Whether a message says that something of what a server offers is missing. */
    static boolean saysLeftOut(String message) {
        return message.contains("left out")
                || message.contains("were cut after")
                || message.contains("are kept of more than");
    }
}
