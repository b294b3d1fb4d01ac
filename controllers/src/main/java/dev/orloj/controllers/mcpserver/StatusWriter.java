package dev.orloj.controllers.mcpserver;

import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;
import dev.orloj.controllers.events.EventRecorder;

import java.time.InstantSource;

/** Writes what was observed into the status, where it differs, and tells what is new in it. */
final class StatusWriter {

    private final ResourceClient client;
    private final EventRecorder events;
    private final InstantSource clock;
    private final SessionSummary sessions;

    StatusWriter(
            ResourceClient client,
            EventRecorder events,
            InstantSource clock,
            SessionSummary sessions) {
        this.client = client;
        this.events = events;
        this.clock = clock;
        this.sessions = sessions;
    }

    /** The server as it is now stored. */
    McpServer write(McpServer server, Observation observation) {
        McpServerStatus after =
                ServerStatus.after(server, observation, clock.instant()).toBuilder()
                        .sessions(sessions.of(server))
                        .build();
        if (isSame(server.status(), after)) {
            return server;
        }
        McpServer stored = client.updateStatus(McpServer.KIND, server.withStatus(after));
        ServerNotes.between(server.status(), after).forEach(note -> events.record(stored, note));
        return stored;
    }

    private static boolean isSame(McpServerStatus before, McpServerStatus after) {
        return SameJson.test(Json.MAPPER.valueToTree(before), Json.MAPPER.valueToTree(after));
    }
}
