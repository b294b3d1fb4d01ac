package dev.orloj.controllers.mcpserver;

import static dev.orloj.api.v1.McpServer.CONNECTED;
import static dev.orloj.api.v1.McpServer.READY;

import dev.orloj.api.Condition;
import dev.orloj.api.Conditions;
import dev.orloj.api.GoDuration;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerStatus;
import dev.orloj.api.v1.McpServerStatus.Phase;
import dev.orloj.controllers.events.ConditionMessage;
import dev.orloj.runtime.scale.ServerScaling.ScalingUp;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** The status of a server whose session waits until what runs it in the cluster has started. */
final class ScalingStatus {

    private static final String SCALING_UP = "ScalingUp";

    private ScalingStatus() {}

    /** A server that was ready stays ready: calls wait for the session. */
    static McpServerStatus of(
            McpServer server, ScalingUp seen, Condition accepted, Condition sync, Instant now) {
        McpServerStatus before = server.status();
        long generation = server.metadata().generation();
        boolean ready = Conditions.isTrue(before.conditions(), READY);
        String message =
                "A session has waited since %s, for at most %s, until the endpoint accepts connections. %s"
                        .formatted(
                                seen.since().truncatedTo(ChronoUnit.SECONDS),
                                GoDuration.of(seen.atMost()).text(),
                                ConditionMessage.of(seen.state()));
        List<Condition> conditions =
                List.of(
                        accepted,
                        Condition.isFalse(CONNECTED, SCALING_UP, message),
                        sync,
                        ready
                                ? Condition.isTrue(
                                        READY,
                                        SCALING_UP,
                                        "The tools can be called; calls wait for the session")
                                : Condition.isFalse(READY, SCALING_UP, message));
        return before.toBuilder()
                .phase(ready ? Phase.READY : Phase.CONNECTING, generation)
                .conditions(Conditions.merge(before.conditions(), conditions, generation, now))
                .lastError("")
                .build();
    }
}
