package dev.orloj.cli.ledger;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.v1.McpServer;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Format;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.http.ResourceSelection;
import dev.orloj.cli.output.TablePrinter;
import dev.orloj.cli.output.Text;
import dev.orloj.cli.resource.Targets;

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
        if (!arguments.get().isEmpty()) {
            ResourceKey server = key(context, Targets.serverName(arguments.get().getFirst()));
            if (format == Format.TABLE) {
                print(context, List.of(server));
            } else {
                context.out().print(format.write(Approvals.read(context, server).document()));
            }
            return ExitCode.OK;
        }
        if (format != Format.TABLE) {
            throw needs("SERVER for -o " + output.orElse(""));
        }
        List<ObjectNode> all =
                context.documents()
                        .list(ResourceSelection.everything(McpServer.KIND, context.namespace()))
                        .items();
        if (all.isEmpty()) {
            EmptyNamespace.require(context, context.namespace());
            context.err()
                    .println(EmptyNamespace.noServer(context.namespace()) + "nothing is pending.");
            return ExitCode.OK;
        }
        print(
                context,
                all.stream()
                        .filter(HeldSummary::hasHeld)
                        .map(item -> key(context, item.at("/metadata/name").asString("")))
                        .toList());
        return ExitCode.OK;
    }

    private static ResourceKey key(Context context, String server) {
        return new ResourceKey(context.namespace(), server);
    }

    private static void print(Context context, List<ResourceKey> servers) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("SERVER", "TOOL", "ACTION", "REASON", "SERVED", "SINCE", "DIGEST"));
        for (ResourceKey server : servers) {
            for (Approvals.Held held : Approvals.read(context, server).held()) {
                lines.add(
                        List.of(
                                server.name(),
                                Text.oneLine(held.tool()),
                                held.action(),
                                Text.oneLine(held.reason()),
                                held.servedAsBefore() ? "as before" : "no",
                                held.since(),
                                held.digest().substring(0, Math.min(19, held.digest().length()))));
            }
        }
        if (lines.size() == 1) {
            context.err().println("Every definition that is offered is served.");
            return;
        }
        new TablePrinter(context.out(), TablePrinter.Layout.WHOLE.within(context.console()))
                .print(lines);
    }
}
