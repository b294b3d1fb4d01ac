package dev.orloj.controllers.mcpserver;

import static dev.orloj.api.v1.McpServer.CONNECTED;
import static dev.orloj.api.v1.McpServer.READY;
import static dev.orloj.api.v1.McpServer.TOOLS_APPROVED;
import static dev.orloj.api.v1.McpServer.TOOLS_SYNCED;

import dev.orloj.api.Condition;
import dev.orloj.api.Conditions;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The status of a server whose policy does not serve what runs. */
final class WithheldStatus {

    private static final String WITHHELD = "Withheld";

    private WithheldStatus() {}

    static McpServerStatus of(
            McpServer server, ObservedState.Withheld seen, Condition accepted, Instant now) {
        McpServerStatus before = server.status();
        long generation = server.metadata().generation();
        String why = seen.why();
        List<Condition> conditions =
                List.of(
                        accepted,
                        Condition.isFalse(CONNECTED, WITHHELD, why),
                        Condition.unknown(TOOLS_SYNCED, WITHHELD, "The tools are not listed"),
                        Condition.isFalse(
                                TOOLS_APPROVED, seen.waits() ? "Quarantined" : "Rejected", why),
                        Condition.isFalse(READY, WITHHELD, why));
        return before.toBuilder()
                .phase(McpServerStatus.Phase.ERROR, generation)
                .conditions(Conditions.merge(before.conditions(), conditions, generation, now))
                .lastError(why)
                .tools(before.discoveredTools(), List.of(), 0, before.lastSyncedAt())
                .observedRestart(server.restartedAt())
                .build();
    }

    /**
     * Returns why a server is withheld; empty if its status is not this one, or that of an earlier
     * manifest or restart.
     */
    static Optional<String> why(McpServer server) {
        return Conditions.find(server.status().conditions(), READY)
                .filter(c -> c.reason().equals(WITHHELD))
                .filter(c -> c.observedGeneration() == server.metadata().generation())
                .filter(_ -> server.restartedAt().equals(server.status().observedRestart()))
                .map(Condition::message);
    }
}
