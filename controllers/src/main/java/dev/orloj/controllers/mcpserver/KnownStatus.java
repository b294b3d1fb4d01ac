package dev.orloj.controllers.mcpserver;

import static dev.orloj.api.v1.McpServer.CONNECTED;
import static dev.orloj.api.v1.McpServer.READY;
import static dev.orloj.api.v1.McpServer.TOOLS_SYNCED;

import dev.orloj.api.Condition;
import dev.orloj.api.Conditions;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;
import dev.orloj.controllers.sandbox.ServerEngine;
import dev.orloj.runtime.oauth.OAuthFailure;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads what the stored status of a server says before the server is observed again. */
final class KnownStatus {

    /** The reasons which say that a session could not be opened or kept open. */
    private static final Set<String> NOT_CONNECTABLE =
            Stream.concat(
                            Stream.of(
                                    ServerStatus.CONNECT_FAILED,
                                    ServerEngine.UNAVAILABLE,
                                    ServerStatus.CRASH_LOOP,
                                    ServerStatus.CONTAINER_GONE),
                            OAuthFailure.reasons().stream())
                    .collect(Collectors.toUnmodifiableSet());

    private KnownStatus() {}

    /** Returns whether nothing was observed yet. */
    static boolean isNew(McpServer server) {
        return server.status().observedGeneration() == 0;
    }

    /** Returns whether the tools of the current generation were listed and can be called. */
    static boolean isSettled(McpServer server) {
        McpServerStatus status = server.status();
        return status.observedGeneration() == server.metadata().generation()
                && Conditions.isTrue(status.conditions(), TOOLS_SYNCED)
                && Conditions.isTrue(status.conditions(), READY)
                && !isServedAsBefore(status);
    }

    /** Returns whether the route to the server leads back to this orlojd. */
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

    /** Returns whether the status of this generation says that no session opens or stays open. */
    static boolean isKnownToFail(McpServer server) {
        McpServerStatus status = server.status();
        return status.observedGeneration() == server.metadata().generation()
                && Conditions.find(status.conditions(), CONNECTED)
                        .filter(c -> NOT_CONNECTABLE.contains(c.reason()))
                        .isPresent();
    }

    /** Returns whether the status says that the tools could not be listed or written. */
    static boolean isListingFailed(McpServer server) {
        return Conditions.find(server.status().conditions(), TOOLS_SYNCED)
                .filter(c -> c.status() == Condition.Status.FALSE)
                .isPresent();
    }

    /** Returns whether a message says that part of what a server offers is missing. */
    static boolean saysLeftOut(String message) {
        return message.contains("left out")
                || message.contains("were cut after")
                || message.contains("are kept of more than");
    }
}
