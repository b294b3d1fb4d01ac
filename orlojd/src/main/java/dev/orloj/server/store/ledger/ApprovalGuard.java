package dev.orloj.server.store.ledger;

import dev.orloj.api.ApiException;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.ApprovedDescription;
import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.HeldDefinition;
import dev.orloj.api.approval.ServerDescription;
import dev.orloj.api.approval.ServerToolPolicy;
import dev.orloj.api.approval.ServingDecision;
import dev.orloj.api.approval.ServingPolicy;
import dev.orloj.api.approval.ToolApproval;
import dev.orloj.api.approval.ToolPolicy;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.ResourceCodec;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.ledger.GeneratedTool;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.server.store.table.ResourceTable;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Refuses writes of definitions that the policy of their server does not serve, whoever writes
 * them: of Tools, and of what the status of a server says of it. The controller writes none; it may
 * only be late. All methods run in the transaction of the write.
 */
final class ApprovalGuard {

    /**
     * The lock keeps a change of the policy apart from the writes that it decides about. A server
     * without a policy is not locked.
     */
    private static final String SERVER =
            """
            SELECT document #>> '{spec,tool_policy}', document #>> '{status,lastSyncedAt}'
              FROM resource s
             WHERE kind = ? AND namespace = ? AND name = ?
               AND (document #>> '{spec,tool_policy}' IS NOT NULL
                    OR EXISTS (SELECT 1 FROM resource p
                                WHERE p.kind = ? AND p.namespace = s.namespace))\
            """;

    private static final String LOCKED = SERVER + " FOR SHARE OF s";

    /**
     * The lock keeps the deletion of a server apart from writes about it. It is as strong as that
     * of the policy, which comes later: a deletion between the two would wait for the one, and keep
     * the other waiting.
     */
    private static final String EXISTS =
            "SELECT 1 FROM resource WHERE kind = ? AND namespace = ? AND name = ? FOR SHARE";

    private static final String SHARED =
            "SELECT document FROM resource WHERE kind = ? AND namespace = ?";

    /**
     * A policy that is in force.
     *
     * @param first whether the tools of the server have not been listed before
     */
    record InForce(ServingPolicy policy, boolean first) {}

    private final JdbcClient jdbc;
    private final ApprovalTable approvals;
    private final ApprovalTable others;

    ApprovalGuard(JdbcClient jdbc) {
        this.jdbc = jdbc;
        this.approvals = ApprovalTable.ofTools(jdbc);
        this.others = ApprovalTable.ofOthers(jdbc);
    }

    /**
     * Returns whether the server exists, which stays so until the end of the transaction. Locks the
     * server, so it comes before the lock of the ledger.
     */
    boolean exists(ResourceKey server) {
        return jdbc.sql(EXISTS)
                .param(ResourceTable.column(McpServer.DESCRIPTOR))
                .param(server.namespace())
                .param(server.name())
                .query(Integer.class)
                .optional()
                .isPresent();
    }

    /**
     * Returns the policy of a server; empty if it has none. Locks the server, so it comes before
     * the lock of the ledger, as in writes of the server.
     */
    Optional<InForce> policy(ResourceKey server) {
        return policy(LOCKED, server);
    }

    /** Returns the policy that a server has now. Locks nothing. */
    ServingPolicy policyNow(ResourceKey server) {
        return policy(SERVER, server).map(InForce::policy).orElse(ServingPolicy.NONE);
    }

    private Optional<InForce> policy(String sql, ResourceKey server) {
        return jdbc.sql(sql)
                .param(ResourceTable.column(McpServer.DESCRIPTOR))
                .param(server.namespace())
                .param(server.name())
                .param(ResourceTable.column(ToolPolicy.DESCRIPTOR))
                .query((row, _) -> inForce(server, row.getString(1), row.getString(2)))
                .optional()
                .filter(inForce -> !inForce.policy().isEmpty());
    }

    private InForce inForce(ResourceKey server, @Nullable String own, @Nullable String syncedAt) {
        ServerToolPolicy rules =
                own == null ? null : Json.MAPPER.readValue(own, ServerToolPolicy.class);
        return new InForce(
                ServingPolicy.of(server.name(), rules, shared(server.namespace())),
                syncedAt == null && approvals.isEmpty(server));
    }

    private List<ToolPolicy> shared(String namespace) {
        return jdbc
                .sql(SHARED)
                .param(ResourceTable.column(ToolPolicy.DESCRIPTOR))
                .param(namespace)
                .query(String.class)
                .list()
                .stream()
                .map(document -> (ObjectNode) Json.MAPPER.readTree(document))
                .map(document -> ResourceCodec.fromDocument(ToolPolicy.KIND, document))
                .toList();
    }

    /**
     * Checks the Tools of a server.
     *
     * @param before by the names of the Tools
     * @throws ApiException (Forbidden) for a Tool whose definition is not served
     */
    void check(
            ResourceKey server,
            InForce inForce,
            Map<String, GeneratedTool> before,
            Map<String, GeneratedTool> after) {
        List<GeneratedTool> changed = new ArrayList<>();
        after.forEach(
                (resource, tool) -> {
                    GeneratedTool old = before.get(resource);
                    if (old == null || !digest(old).equals(digest(tool))) {
                        changed.add(tool);
                    }
                });
        if (changed.isEmpty()) {
            return;
        }
        LedgerCode.whyHeld(others, inForce.policy(), server)
                .ifPresent(
                        reason -> {
                            throw refused(server, changed.getFirst(), reason);
                        });
        Map<String, GeneratedTool> served = new TreeMap<>();
        before.values().forEach(tool -> served.put(tool.tool(), tool));
        Map<String, ToolApproval> known =
                approvals.find(server, changed.stream().map(GeneratedTool::tool).toList());
        for (GeneratedTool tool : changed) {
            ToolApproval stored = known.getOrDefault(tool.tool(), ToolApproval.NONE);
            GeneratedTool old = served.get(tool.tool());
            ServingDecision decision =
                    ServingDecision.of(
                            inForce.policy(),
                            inForce.first(),
                            tool.definition(),
                            old == null ? stored : stored.serving(old.definition()));
            if (decision instanceof ServingDecision.Hold hold) {
                throw refused(server, tool, hold.reason());
            }
        }
    }

    private static ApiException refused(ResourceKey server, GeneratedTool tool, String reason) {
        return ApiException.forbidden(
                Tool.KIND,
                tool.resource(),
                "the policy of McpServer \"%s\" does not serve this definition (%s); 'orlojctl tools pending mcp/%1$s' lists what waits for approval"
                        .formatted(server.name(), reason));
    }

    /** Keeps the definitions of the tools that are gone. What comes back is compared with them. */
    void remember(
            ResourceKey server,
            Map<String, GeneratedTool> before,
            Map<String, GeneratedTool> after,
            Instant now) {
        Map<String, GeneratedTool> gone = new TreeMap<>();
        before.values().forEach(tool -> gone.put(tool.tool(), tool));
        after.values().forEach(tool -> gone.remove(tool.tool()));
        gone.forEach(
                (name, tool) ->
                        approvals.served(server, name, digest(tool), tool.definition(), now));
        if (!gone.isEmpty()) {
            approvals.trimServed(server);
        }
    }

    /**
     * Checks what clients get of the description of a server.
     *
     * @param synced whether its tools were listed before this write
     * @throws ApiException (Forbidden) for a definition that is not served
     */
    void check(
            ResourceKey server,
            ServingPolicy policy,
            boolean synced,
            ServerDescription before,
            ServerDescription after) {
        boolean first = !synced && approvals.isEmpty(server);
        Map<DefinitionName, ToolApproval> known = new TreeMap<>();
        others.find(server)
                .forEach((name, approval) -> known.put(DefinitionName.parse(name), approval));
        ApprovedDescription approved = ApprovedDescription.of(policy, first, known, before, after);
        for (HeldDefinition held : approved.held()) {
            boolean isWritten =
                    !before.definition(held.name()).equals(after.definition(held.name()));
            if (isWritten) {
                throw ApiException.forbidden(
                        McpServer.KIND,
                        server.name(),
                        "its policy does not serve this %s (%s); 'orlojctl tools pending mcp/%s' lists what waits for approval"
                                .formatted(held.name().text(), held.reason(), server.name()));
            }
        }
    }

    /** Keeps the definitions that the server no longer states, to compare what comes back. */
    void remember(
            ResourceKey server, ServerDescription before, ServerDescription after, Instant now) {
        for (DefinitionName name : ServerDescription.NAMES) {
            Optional<ObjectNode> gone =
                    before.definition(name).filter(_ -> after.definition(name).isEmpty());
            gone.ifPresent(
                    definition ->
                            others.served(
                                    server,
                                    name.text(),
                                    CanonicalJson.digest(definition),
                                    definition,
                                    now));
        }
    }

    private static String digest(GeneratedTool tool) {
        return CanonicalJson.digest(tool.definition());
    }
}
