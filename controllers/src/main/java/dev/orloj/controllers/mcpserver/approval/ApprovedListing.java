package dev.orloj.controllers.mcpserver.approval;

import static dev.orloj.api.v1.McpServer.TOOLS_APPROVED;

import dev.orloj.api.Condition;
import dev.orloj.api.Frozen;
import dev.orloj.api.approval.HeldDefinition;
import dev.orloj.api.approval.PolicyAction;
import dev.orloj.api.approval.ServingDecision;
import dev.orloj.api.approval.ToolApproval;
import dev.orloj.api.ledger.CanonicalJson;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.events.ConditionMessage;
import dev.orloj.controllers.mcpserver.definition.McpServerView;
import dev.orloj.controllers.toolfilter.ToolSelection;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A tool list after the policy of its server.
 *
 * @param definitions what is listed, with the definitions that are served in place of held ones
 * @param withheld names of listed tools that are not served at all
 * @param held the definitions that are not served, sorted by tool
 * @param warnings a phrase for each definition that is served with a warning
 * @param condition says whether all definitions are served; empty if the server has no policy
 */
public record ApprovedListing(
        List<ObjectNode> definitions,
        Set<String> withheld,
        List<HeldDefinition> held,
        List<String> warnings,
        Optional<Condition> condition) {

    private static final int MAX_NAMES = 10;

    public ApprovedListing {
        definitions = List.copyOf(definitions);
        withheld = Frozen.set(withheld);
        held = List.copyOf(held);
        warnings = List.copyOf(warnings);
    }

    /** Returns the listing of a server that has no policy. */
    public static ApprovedListing all(List<ObjectNode> listed) {
        return new ApprovedListing(listed, Set.of(), List.of(), List.of(), Optional.empty());
    }

    /**
     * Decides about each listed definition that the {@code tool_filter} admits.
     *
     * @param known by the names of tools
     * @param listed complete definitions, each with a unique name
     */
    public static ApprovedListing of(
            McpServerView view, Map<String, ToolApproval> known, List<ObjectNode> listed) {
        McpServer server = view.server();
        boolean first = server.status().lastSyncedAt() == null && known.isEmpty();
        ToolSelection selection = ToolSelection.of(server.spec().offer().toolFilter());
        Map<String, Tool> served = new HashMap<>();
        view.tools().stream()
                .filter(tool -> !tool.metadata().isDeleting())
                .forEach(tool -> served.put(tool.spec().mcpToolName(), tool));
        List<ObjectNode> definitions = new ArrayList<>();
        Set<String> withheld = new TreeSet<>();
        List<HeldDefinition> held = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        for (ObjectNode offered : listed) {
            String name = offered.path("name").asString("");
            if (!selection.admits(name)) {
                definitions.add(offered);
                continue;
            }
            Tool tool = served.get(name);
            ToolApproval stored = known.getOrDefault(name, ToolApproval.NONE);
            switch (ServingDecision.of(
                    view.policy(),
                    first,
                    offered,
                    tool == null ? stored : stored.serving(tool.spec().listed()))) {
                case ServingDecision.Serve(String warning) -> {
                    definitions.add(offered);
                    if (!warning.isEmpty()) {
                        warnings.add(name + " (" + warning + ")");
                    }
                }
                case ServingDecision.Hold hold -> {
                    definitions.add(hold.instead().orElse(offered));
                    if (hold.instead().isEmpty()) {
                        withheld.add(name);
                    }
                    held.add(held(name, offered, hold));
                }
            }
        }
        held.sort(Comparator.comparing(HeldDefinition::tool));
        return new ApprovedListing(
                definitions, withheld, held, warnings, Optional.of(condition(server, held)));
    }

    private static HeldDefinition held(String name, ObjectNode offered, ServingDecision.Hold hold) {
        return new HeldDefinition(
                name,
                CanonicalJson.digest(offered),
                offered,
                hold.action(),
                hold.reason(),
                hold.instead().isPresent());
    }

    private static Condition condition(McpServer server, List<HeldDefinition> held) {
        if (held.isEmpty()) {
            return Condition.isTrue(
                    TOOLS_APPROVED, "Approved", "The policy serves every definition");
        }
        boolean waits = held.stream().anyMatch(h -> h.action() == PolicyAction.QUARANTINE);
        List<String> parts = new ArrayList<>();
        held.stream().limit(MAX_NAMES).map(ApprovedListing::phrase).forEach(parts::add);
        if (held.size() > MAX_NAMES) {
            parts.add("%d more".formatted(held.size() - MAX_NAMES));
        }
        return Condition.isFalse(
                TOOLS_APPROVED,
                waits ? "Quarantined" : "Rejected",
                ConditionMessage.of(
                        "%d %s not served: %s; see 'orlojctl tools pending mcp/%s'"
                                .formatted(
                                        held.size(),
                                        held.size() == 1 ? "definition is" : "definitions are",
                                        String.join(", ", parts),
                                        server.metadata().name())));
    }

    private static String phrase(HeldDefinition held) {
        return "%s (%s%s)"
                .formatted(
                        held.tool(),
                        held.reason(),
                        held.serves() ? ", served as before" : ", withheld");
    }

    /**
     * Returns the tool list that the server offered last: the held definitions, and the Tools of
     * all other tools.
     */
    public static List<ObjectNode> offeredLast(List<Tool> tools, Map<String, ToolApproval> known) {
        List<ObjectNode> listed = new ArrayList<>();
        Set<String> names = new TreeSet<>();
        known.values().stream()
                .flatMap(approval -> approval.held().stream())
                .filter(held -> names.add(held.tool()))
                .forEach(held -> listed.add(held.definition()));
        tools.stream()
                .filter(tool -> !tool.metadata().isDeleting())
                .filter(tool -> names.add(tool.spec().mcpToolName()))
                .forEach(tool -> listed.add(tool.spec().listed()));
        return listed;
    }
}
