package dev.orloj.cli.ledger;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.Format;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.resource.Targets;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/** Prints the definitions that are served as pins, for the manifest of the server. */
final class PinCommand extends Command {

    private final TextsOption arguments = arguments("1", "SERVER", "An McpServer.");
    private final Flag held =
            flag(
                    "Pin the definitions that are held now, in place of those served, except"
                            + " rejected ones.",
                    "--held");
    private final TextOption output = text("FORMAT", "yaml or json.", "-o", "--output");

    PinCommand() {
        super(
                "Print the definitions that are served now as pins for the manifest.",
                "orlojctl tools pin github",
                "orlojctl tools pin github --held",
                "orlojctl tools pin github > pins.yaml; orlojctl patch mcp github --patch-file"
                        + " pins.yaml");
    }

    @Override
    public int run(Context context) {
        Format format = Format.parse(output.orElse("yaml"), List.of(Format.YAML, Format.JSON));
        ResourceKey server =
                new ResourceKey(
                        context.namespace(), Targets.serverName(arguments.get().getFirst()));
        List<Approvals.Held> notServed = Approvals.read(context, server).held();
        ObjectNode patch = Json.MAPPER.createObjectNode();
        ObjectNode pins = patch.putObject("spec").putObject("tool_policy").putObject("pins");
        Approvals.served(context, server).forEach(pins::put);
        if (held.isSet()) {
            notServed.stream()
                    .filter(each -> !each.rejected())
                    .forEach(each -> pins.put(each.tool(), each.digest()));
        } else if (!notServed.isEmpty()) {
            context.err()
                    .println(
                            "Warning: the pins leave out the held definitions (%d); 'orlojctl tools pending mcp/%s' lists them, and --held pins them."
                                    .formatted(notServed.size(), server.name()));
        }
        context.out().print(format.write(patch));
        return ExitCode.OK;
    }
}
