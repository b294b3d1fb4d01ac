package dev.orloj.controllers.mcpserver.approval;

import static dev.orloj.api.v1.McpServer.TOOLS_APPROVED;

import dev.orloj.api.Condition;
import dev.orloj.api.Frozen;
import dev.orloj.api.approval.ApprovedDescription;
import dev.orloj.api.approval.ApprovedFeatures;
import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.approval.HeldDefinition;
import dev.orloj.api.approval.PolicyAction;
import dev.orloj.api.approval.ServerDescription;
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
 * What a server offers, after its policy.
 *
 * @param definitions what is listed, with the definitions that are served in place of held ones
 * @param withheld names of listed tools that are not served at all
 * @param description what the server says of itself, without what is held
 * @param held the definitions that are not served, sorted by name
 * @param warnings a phrase for each definition that is served with a warning
 * @param condition says whether all definitions are served; empty if the server has no policy
 */
public record ApprovedListing(
        List<ObjectNode> definitions,
        Set<String> withheld,
        ServerDescription description,
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
    public static ApprovedListing all(List<ObjectNode> listed, ServerDescription stated) {
        return new ApprovedListing(
                listed, Set.of(), stated, List.of(), List.of(), Optional.empty());
    }

    /**
     * Decides about each listed definition that the {@code tool_filter} admits, and about what the
     * server says of itself.
     *
     * @param listed complete definitions, each with a unique name
     */
    public static ApprovedListing of(
            McpServerView view,
            Map<DefinitionName, ToolApproval> known,
            List<ObjectNode> listed,
            ServerDescription stated) {
        McpServer server = view.server();
        boolean first = isFirst(server, known);
        ToolSelection selection = ToolSelection.of(server.spec().offer().toolFilter());
        Map<String, ObjectNode> served = served(view.tools());
        Map<String, String> formers =
                RenamedTools.formers(served, known, selection::admits, listed);
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
            ObjectNode before = served.get(name);
            ToolApproval stored = known.getOrDefault(DefinitionName.tool(name), ToolApproval.NONE);
            String former = formers.getOrDefault(name, "");
            switch (ServingDecision.of(
                    view.policy(),
                    first,
                    offered,
                    before == null ? stored : stored.serving(before),
                    former)) {
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
                    held.add(held(name, offered, hold, former));
                }
            }
        }
        ApprovedDescription description =
                ApprovedDescription.of(view.policy(), first, known, served(server), stated);
        held.addAll(description.held());
        held.sort(Comparator.comparing(HeldDefinition::name));
        warnings.addAll(description.warnings());
        return new ApprovedListing(
                definitions,
                withheld,
                description.served(),
                held,
                warnings,
                Optional.of(condition(server, held)));
    }

    private static boolean isFirst(McpServer server, Map<DefinitionName, ToolApproval> known) {
        return server.status().lastSyncedAt() == null
                && known.keySet().stream().noneMatch(DefinitionName::isTool);
    }

    /** Returns the definitions of the Tools by the names on the server. */
    private static Map<String, ObjectNode> served(List<Tool> tools) {
        Map<String, ObjectNode> served = new HashMap<>();
        tools.stream()
                .filter(tool -> !tool.metadata().isDeleting())
                .forEach(tool -> served.put(tool.spec().mcpToolName(), tool.spec().listed()));
        return served;
    }

    /** Adds what was decided about prompts, resource templates and resources. */
    public ApprovedListing with(McpServer server, ApprovedFeatures features) {
        List<HeldDefinition> all = new ArrayList<>(held);
        all.addAll(features.held());
        List<String> warned = new ArrayList<>(warnings);
        warned.addAll(features.warnings());
        return new ApprovedListing(
                definitions,
                withheld,
                description,
                all,
                warned,
                condition.map(_ -> condition(server, all)));
    }

    private static HeldDefinition held(
            String name, ObjectNode offered, ServingDecision.Hold hold, String former) {
        return new HeldDefinition(
                DefinitionName.tool(name),
                CanonicalJson.digest(offered),
                offered,
                hold.action(),
                hold.reason(),
                hold.instead().isPresent(),
                former);
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
                        held.name().text(),
                        held.reason(),
                        held.serves() ? ", served as before" : ", withheld");
    }

    /** Returns what clients of the server get of its description. */
    public static ServerDescription served(McpServer server) {
        return ServerDescription.of(server.status().serverInfo(), server.status().instructions());
    }

    /**
     * Returns the tool list that the server offered last: the held definitions, and the Tools of
     * all other tools.
     */
    public static List<ObjectNode> offeredLast(
            List<Tool> tools, Map<DefinitionName, ToolApproval> known) {
        List<ObjectNode> listed = new ArrayList<>();
        Set<String> names = new TreeSet<>();
        known.values().stream()
                .flatMap(approval -> approval.held().stream())
                .filter(held -> held.name().isTool() && names.add(held.name().name()))
                .forEach(held -> listed.add(held.definition()));
        tools.stream()
                .filter(tool -> !tool.metadata().isDeleting())
                .filter(tool -> names.add(tool.spec().mcpToolName()))
                .forEach(tool -> listed.add(tool.spec().listed()));
        return listed;
    }
}
