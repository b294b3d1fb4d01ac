package dev.orloj.controllers.mcpserver.approval;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.ApprovedFeatures;
import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.HeldDefinition;
import dev.orloj.api.approval.OfferedFeatures;
import dev.orloj.api.approval.ServingPolicy;
import dev.orloj.api.approval.ToolApproval;
import dev.orloj.api.approval.ToolApprovals;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Approvals that are lost with the process. Thread-safe. */
public final class InMemoryApprovals implements ToolApprovals {

    private final Map<ResourceKey, Map<DefinitionName, ToolApproval>> known = new TreeMap<>();

    @Override
    public synchronized Map<DefinitionName, ToolApproval> find(ResourceKey server) {
        return new TreeMap<>(known.getOrDefault(server, Map.of()));
    }

    @Override
    public synchronized void hold(ResourceKey server, List<HeldDefinition> held) {
        Map<DefinitionName, ToolApproval> tools = tools(server);
        tools.replaceAll((_, tool) -> holding(tool, Optional.empty()));
        held.forEach(
                each ->
                        tools.compute(
                                each.name(),
                                (_, tool) ->
                                        holding(
                                                tool == null ? ToolApproval.NONE : tool,
                                                Optional.of(each))));
    }

    @Override
    public Optional<HeldDefinition> heldCode(
            ResourceKey server, ServingPolicy policy, String named) {
        return Optional.empty();
    }

    @Override
    public ApprovedFeatures offer(ResourceKey server, OfferedFeatures offered) {
        return ApprovedFeatures.NONE;
    }

    /** Approves the definition that is held of a tool. */
    public synchronized void approve(ResourceKey server, String tool) {
        tools(server)
                .computeIfPresent(
                        DefinitionName.parse(tool),
                        (_, before) ->
                                new ToolApproval(
                                        before.served(),
                                        before.held(),
                                        Set.of(before.held().orElseThrow().digest()),
                                        Set.of()));
    }

    /** Keeps the definition that a Tool served, as the store does when the Tool goes. */
    public synchronized void served(ResourceKey server, String tool, ObjectNode definition) {
        tools(server)
                .merge(
                        DefinitionName.parse(tool),
                        ToolApproval.NONE.serving(definition),
                        (before, _) -> before.serving(definition));
    }

    private Map<DefinitionName, ToolApproval> tools(ResourceKey server) {
        return known.computeIfAbsent(server, _ -> new TreeMap<>());
    }

    private static ToolApproval holding(ToolApproval tool, Optional<HeldDefinition> held) {
        return new ToolApproval(tool.served(), held, tool.approved(), tool.rejected());
    }
}
