package dev.orloj.server.code;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.HeldDefinition;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.codec.Json;
import dev.orloj.api.ledger.RunningCode;
import dev.orloj.api.v1.McpServer;
import dev.orloj.controllers.events.ConditionMessage;
import dev.orloj.controllers.events.EventRecorder;
import dev.orloj.controllers.events.Note;
import dev.orloj.runtime.code.CodeGate;
import dev.orloj.runtime.code.CodeHeldException;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.server.store.ledger.CodeDecision;
import dev.orloj.server.store.ledger.LedgerApprovals;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Records what runs in each session, and admits the session if the policy of its server serves
 * that. Without a policy, a failure of the database keeps no session from opening; with one, it
 * does. Thread-safe.
 */
public final class PolicyCodeGate implements CodeGate {

    private static final Logger log = LoggerFactory.getLogger(PolicyCodeGate.class);

    private static final int MAX_RECORDED = 100_000;

    private final LedgerApprovals approvals;
    private final ResourceClient client;
    private final EventRecorder events;
    private final InstantSource clock;

    /** Digests of what this replica has recorded last. A server without a policy needs no more. */
    private final ConcurrentMap<ResourceKey, String> recorded = new ConcurrentHashMap<>();

    public PolicyCodeGate(LedgerApprovals approvals, ResourceClient client, InstantSource clock) {
        this.approvals = approvals;
        this.client = client;
        this.events = new EventRecorder(client, clock, "mcpserver-controller");
        this.clock = clock;
    }

    @Override
    public void admit(ServerDefinition definition, RunningCode code) {
        ResourceKey server = definition.server();
        boolean hasPolicy = definition.hasToolPolicy();
        if (!hasPolicy && code.digest().equals(recorded.get(server))) {
            return;
        }
        try {
            decide(server, code);
        } catch (CodeHeldException e) {
            throw e;
        } catch (RuntimeException e) {
            if (hasPolicy) {
                throw e;
            }
            log.atWarn()
                    .addKeyValue("server", server)
                    .addKeyValue("error", e.toString())
                    .log("What runs was not recorded");
        }
    }

    private void decide(ResourceKey server, RunningCode code) {
        switch (approvals.admit(server, code)) {
            case CodeDecision.Admitted(String warning) -> {
                if (recorded.size() >= MAX_RECORDED) {
                    recorded.clear();
                }
                recorded.put(server, code.digest());
                if (!warning.isEmpty()) {
                    warn(server, warning);
                }
            }
            case CodeDecision.Refused(HeldDefinition held, boolean isNew) -> {
                if (isNew) {
                    wakeController(server);
                }
                throw new CodeHeldException(
                        "the policy holds what it runs " + held.messageOfRuns(server.name()));
            }
        }
    }

    private void warn(ResourceKey server, String warning) {
        client.find(McpServer.KIND, server)
                .ifPresent(
                        found ->
                                events.record(
                                        found,
                                        Note.warning(
                                                "CodeChanged",
                                                ConditionMessage.of("What runs " + warning))));
    }

    /** The replica that withdraws the Tools may be another one. */
    private void wakeController(ResourceKey server) {
        ObjectNode change = Json.MAPPER.createObjectNode();
        change.withObject("/metadata/annotations")
                .put(McpServer.TOOLS_REVIEWED_AT, clock.instant().toString());
        client.patch(McpServer.KIND, server, change);
    }
}
