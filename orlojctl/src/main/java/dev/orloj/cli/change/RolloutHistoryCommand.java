package dev.orloj.cli.change;

import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.output.TablePrinter;
import dev.orloj.cli.output.Text;
import dev.orloj.cli.resource.Targets;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Shows who changed a resource last, and how. Older specs are not kept. */
final class RolloutHistoryCommand extends Command {

    private final TextsOption arguments =
            arguments("1..*", "KIND/NAME...", "Such as mcp/github, or mcp github.");

    RolloutHistoryCommand() {
        super(
                "Show who changed resources, and when; older specs are not kept.",
                "orlojctl rollout history mcp/github");
    }

    @Override
    public int run(Context context) {
        List<Targets.Named> targets = Targets.parse(arguments.get()).named();
        if (targets.isEmpty()) {
            throw needs("names, such as mcp/github");
        }
        for (Targets.Named target : targets) {
            ObjectNode resource =
                    context.documents().get(target.kind(), target.key(context.namespace()));
            context.out()
                    .print(
                            "%s/%s, generation %d\n"
                                    .formatted(
                                            Text.qualified(target.kind()),
                                            target.name(),
                                            resource.at("/metadata/generation").asLong(0)));
            List<List<String>> lines = new ArrayList<>();
            lines.add(List.of("LAST CHANGE", "BY", "OPERATION", "OF"));
            resource.at("/metadata/managedFields")
                    .valueStream()
                    .sorted(Comparator.comparing(entry -> entry.path("time").asString("")))
                    .forEach(entry -> lines.add(line(entry)));
            new TablePrinter(context.out(), TablePrinter.Layout.WHOLE).print(lines);
        }
        return ExitCode.OK;
    }

    private static List<String> line(JsonNode entry) {
        return List.of(
                entry.path("time").asString(""),
                entry.path("manager").asString(""),
                entry.path("operation").asString(""),
                entry.path("subresource").asString("").isEmpty()
                        ? "spec"
                        : entry.path("subresource").asString(""));
    }
}
