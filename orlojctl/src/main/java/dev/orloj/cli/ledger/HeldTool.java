package dev.orloj.cli.ledger;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.approval.DefinitionName;
import dev.orloj.api.ledger.ToolNames;
import dev.orloj.api.v1.McpServer;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.output.Text;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A tool that a server offers and that its policy holds, so that it has no Tool; or any tool of a
 * server whose policy holds what runs.
 */
public final class HeldTool {

    private HeldTool() {}

    /**
     * Explains why there is no Tool of this name, or none that agents see under it. Empty if no
     * policy holds such a tool, or if the user may not read what is held.
     *
     * @throws ApiException if orlojd refuses it for another reason
     */
    public static Optional<String> explain(Context context, String namespace, String called) {
        return Stream.concat(
                        ToolNames.serversOf(called).stream(),
                        ToolNames.serverOfAgentName(called).stream())
                .distinct()
                .map(server -> new ResourceKey(namespace, server))
                .flatMap(server -> explain(context, server, called).stream())
                .findFirst();
    }

    private static Optional<String> explain(Context context, ResourceKey server, String called) {
        List<Approvals.Held> definitions = held(context, server);
        Optional<Approvals.Held> runs =
                definitions.stream().filter(each -> isOf(DefinitionName.Kind.RUNS, each)).findAny();
        if (runs.isPresent()) {
            return runs.map(each -> explanation(server, called, "what runs: " + each.reason()));
        }
        List<Approvals.Held> held =
                definitions.stream().filter(each -> isOf(DefinitionName.Kind.TOOL, each)).toList();
        Map<String, ToolNames> names =
                ToolNames.assign(
                        server.name(),
                        held.stream().map(Approvals.Held::tool).toList(),
                        _ -> false,
                        _ -> false);
        return held.stream()
                .filter(
                        each -> {
                            ToolNames own = names.get(each.tool());
                            return own != null
                                    && (own.resource().equals(called)
                                            || own.agent().equals(called));
                        })
                .map(each -> explanation(server, called, each.reason()))
                .findFirst();
    }

    private static boolean isOf(DefinitionName.Kind kind, Approvals.Held held) {
        return DefinitionName.parse(held.tool()).kind() == kind;
    }

    private static List<Approvals.Held> held(Context context, ResourceKey server) {
        try {
            return context.documents()
                    .find(McpServer.KIND, server)
                    .filter(HeldSummary::hasHeld)
                    .map(_ -> Approvals.read(context, server).held())
                    .orElse(List.of());
        } catch (ApiException e) {
            if (e.reason() == ErrorReason.FORBIDDEN || e.reason() == ErrorReason.NOT_FOUND) {
                return List.of();
            }
            throw e;
        }
    }

    private static String explanation(ResourceKey server, String called, String reason) {
        return Text.oneLine(
                "tool \"%s\" is held (%s) by the policy of McpServer \"%s\": \"orlojctl tools pending mcp/%3$s -n %s\" shows what waits for approval"
                        .formatted(called, reason, server.name(), server.namespace()));
    }
}
