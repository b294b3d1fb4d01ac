package dev.orloj.controllers.mcpserver;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;
import dev.orloj.controllers.container.ContainerStatus;
import dev.orloj.controllers.events.EventRecorder;
import dev.orloj.controllers.mcpserver.tools.SameJson;
import dev.orloj.controllers.report.ReportCards;

import java.time.InstantSource;

/**
 * Writes the observed state into the status when it differs, and records events for the changes.
 */
final class StatusWriter {

    private static final int MAX_TRIES = 3;

    private final ResourceClient client;
    private final EventRecorder events;
    private final InstantSource clock;
    private final McpServerCaches caches;
    private final SessionSummary sessions;
    private final ContainerStatus containers;
    private final ReportCards reports;

    StatusWriter(
            ResourceClient client,
            EventRecorder events,
            InstantSource clock,
            McpServerCaches caches,
            SessionSummary sessions,
            ContainerStatus containers,
            ReportCards reports) {
        this.client = client;
        this.events = events;
        this.clock = clock;
        this.caches = caches;
        this.sessions = sessions;
        this.containers = containers;
        this.reports = reports;
    }

    /**
     * Writes the status and returns the server as stored. Retries a conflict as long as the
     * manifest is the same: an observation holds for its manifest, even if other parts of the
     * resource changed since it was read.
     */
    McpServer write(McpServer server, ObservedState observedState) {
        McpServer latest = server;
        for (int tries = 1; ; tries++) {
            try {
                return writeOnce(latest, observedState);
            } catch (ApiException e) {
                if (e.reason() != ErrorReason.CONFLICT || tries == MAX_TRIES) {
                    throw e;
                }
                latest = client.get(McpServer.KIND, server.key());
                if (!isSameManifest(latest.metadata(), server.metadata())) {
                    throw e;
                }
            }
        }
    }

    private static boolean isSameManifest(ObjectMeta one, ObjectMeta other) {
        return one.uid().equals(other.uid())
                && one.generation() == other.generation()
                && one.isDeleting() == other.isDeleting();
    }

    private McpServer writeOnce(McpServer server, ObservedState observedState) {
        McpServerStatus after =
                ServerStatus.after(server, observedState, caches.sources(server), clock.instant())
                        .toBuilder()
                        .sessions(sessions.of(server))
                        .build();
        if (!(observedState instanceof ObservedState.Synced)
                && !(observedState instanceof ObservedState.Reviewed)
                && !caches.policy(server).isEmpty()) {
            // What the server says of itself is decided about with its tools.
            after =
                    after.toBuilder()
                            .description(
                                    server.status().serverInfo(), server.status().instructions())
                            .build();
        }
        after = containers.addTo(after, server);
        after =
                reports.addTo(
                        after,
                        server,
                        clock.instant(),
                        text -> caches.view(server).withoutSecrets(text));
        if (isSame(server.status(), after)) {
            return server;
        }
        McpServer stored = client.updateStatus(McpServer.KIND, server.withStatus(after));
        EventMessages.between(server.status(), after).forEach(note -> events.record(stored, note));
        return stored;
    }

    private static boolean isSame(McpServerStatus before, McpServerStatus after) {
        return SameJson.test(Json.MAPPER.valueToTree(before), Json.MAPPER.valueToTree(after));
    }
}
