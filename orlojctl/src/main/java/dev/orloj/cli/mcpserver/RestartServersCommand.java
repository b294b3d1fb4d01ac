package dev.orloj.cli.mcpserver;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.v1.McpServer;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.Format;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.output.Documents;
import dev.orloj.cli.resource.Targets;

import picocli.CommandLine;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Replaces the sessions of servers, or shows how their resources would change. */
final class RestartServersCommand extends Command {

    private final Supplier<Command> target;
    private final TextsOption arguments =
            arguments("1..*", "SERVER...", "McpServers, such as github.");
    private final Flag wait = flag("Wait until the new session serves.", "--wait");
    private final TextOption timeout =
            text("TIME", "Maximum time to wait for all of them. Default: 1m.", "--timeout");
    private final TextOption dryRun = DryRunOption.addTo(spec(), "server");
    private final TextOption output =
            text("FORMAT", "With --dry-run: yaml or json.", "-o", "--output");

    RestartServersCommand(Supplier<Command> target) {
        super(
                "Replace the sessions with servers, without losing a call.",
                "orlojctl mcp restart github --wait");
        this.target = target;
    }

    @Override
    public int run(Context context) {
        if (DryRunOption.parse(dryRun) != DryRunOption.NONE) {
            return show(context);
        }
        List<String> line = new ArrayList<>();
        names().forEach(name -> line.add("mcp/" + name));
        timeout.get().ifPresent(time -> line.add("--timeout=" + time));
        if (wait.isSet()) {
            line.add("--wait");
        }
        Command command = target.get();
        new CommandLine(command.spec()).parseArgs(line.toArray(String[]::new));
        return command.run(context);
    }

    private List<String> names() {
        return arguments.get().stream().map(Targets::serverName).toList();
    }

    private int show(Context context) {
        Format format = Format.parse(output.orElse("yaml"), List.of(Format.YAML, Format.JSON));
        List<ObjectNode> changed = new ArrayList<>();
        for (String name : names()) {
            ResourceKey key = new ResourceKey(context.namespace(), name);
            ObjectNode server =
                    Documents.withoutOwners(context.documents().get(McpServer.KIND, key));
            server.withObject("/metadata/annotations")
                    .put(McpServer.RESTARTED_AT, context.console().clock().instant().toString());
            changed.add(server);
        }
        context.out().print(format.write(Documents.oneOrList(changed, false)));
        return ExitCode.OK;
    }
}
