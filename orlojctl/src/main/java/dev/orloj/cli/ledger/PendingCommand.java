package dev.orloj.cli.ledger;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.v1.McpServer;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Format;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.http.ResourceSelection;
import dev.orloj.cli.output.TablePrinter;
import dev.orloj.cli.output.Text;
import dev.orloj.cli.resource.Targets;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/** Lists the definitions that servers offer and that their policies do not serve. */
final class PendingCommand extends Command {

    private final TextsOption arguments =
            arguments("0..1", "[SERVER]", "Only this McpServer. Default: all of the namespace.");
    private final TextOption output =
            text(
                    "FORMAT",
                    "table, json or yaml; json and yaml have the definitions, of one SERVER.",
                    "-o",
                    "--output");

    PendingCommand() {
        super(
                "List the definitions that tool_policy does not serve.",
                "orlojctl tools pending",
                "orlojctl tools pending github -o yaml");
    }

    @Override
    public int run(Context context) {
        Format format =
                Format.parse(
                        output.orElse("table"), List.of(Format.TABLE, Format.JSON, Format.YAML));
        if (format != Format.TABLE) {
            if (arguments.get().isEmpty()) {
                throw new UsageException("-o " + output.orElse("") + " of which SERVER?");
            }
            ResourceKey server = servers(context).getFirst();
            context.out().print(format.write(Approvals.read(context, server).document()));
            return ExitCode.OK;
        }
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("SERVER", "TOOL", "ACTION", "REASON", "SERVED", "SINCE", "DIGEST"));
        for (ResourceKey server : servers(context)) {
            for (Approvals.Held held : Approvals.read(context, server).held()) {
                lines.add(
                        List.of(
                                server.name(),
                                Text.oneLine(held.tool()),
                                held.action(),
                                held.reason(),
                                held.servedAsBefore() ? "as before" : "no",
                                held.since(),
                                held.digest().substring(0, Math.min(19, held.digest().length()))));
            }
        }
        if (lines.size() == 1) {
            context.err().println(nothing(context));
            return ExitCode.OK;
        }
        new TablePrinter(context.out(), TablePrinter.Layout.WHOLE.within(context.console()))
                .print(lines);
        return ExitCode.OK;
    }

    private List<ResourceKey> servers(Context context) {
        if (!arguments.get().isEmpty()) {
            String server = Targets.serverName(arguments.get().getFirst());
            return List.of(new ResourceKey(context.namespace(), server));
        }
        return all(context).stream()
                .filter(PendingCommand::hasHeld)
                .map(item -> item.at("/metadata/name").asString(""))
                .map(name -> new ResourceKey(context.namespace(), name))
                .toList();
    }

    private static List<ObjectNode> all(Context context) {
        return context.documents()
                .list(ResourceSelection.everything(McpServer.KIND, context.namespace()))
                .items();
    }

    /** Returns why nothing is pending: also if there is no server at all. */
    private String nothing(Context context) {
        if (arguments.get().isEmpty() && all(context).isEmpty()) {
            EmptyNamespace.require(context, context.namespace());
            return EmptyNamespace.noServer(context.namespace()) + "nothing is pending.";
        }
        return "Every definition that is offered is served.";
    }

    private static boolean hasHeld(ObjectNode server) {
        for (JsonNode condition : server.at("/status/conditions")) {
            if (condition.path("type").asString("").equals(McpServer.TOOLS_APPROVED)) {
                return condition.path("status").asString("").equals("False");
            }
        }
        return false;
    }
}
