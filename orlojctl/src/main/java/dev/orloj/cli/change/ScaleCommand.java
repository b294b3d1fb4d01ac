package dev.orloj.cli.change;

import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.Kinds;
import dev.orloj.api.v1.McpServer;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.resource.Targets;

import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;

/** Sets the number of replicas: 0 suspends a server. */
public final class ScaleCommand extends ChangeCommand {

    private final TextsOption arguments =
            arguments("0..*", "KIND/NAME...", "Such as mcp/github, or mcp github.");
    private final TextOption replicas =
            text("NUMBER", "0 suspends a server; 1 or more lets it run.", "--replicas");
    private final TextOption current =
            text("NUMBER", "Only if this is the number now.", "--current-replicas");

    public ScaleCommand() {
        super(
                "Set the number of replicas of servers.",
                "orlojctl scale mcp/github --replicas=0",
                "orlojctl scale mcp github --replicas=1 --current-replicas=0");
    }

    @Override
    public int run(Context context) {
        if (replicas.get().isEmpty()) {
            throw needs("--replicas NUMBER, such as --replicas=0");
        }
        number(replicas);
        current.get().ifPresent(_ -> number(current));
        return change(context, arguments.get());
    }

    private static int number(TextOption option) {
        try {
            int number = Integer.parseInt(option.orElse(""));
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new UsageException("\"%s\" is no number of replicas".formatted(option.orElse("")));
    }

    @Override
    Optional<ResourcePatch> patch(Targets.Named target, ObjectNode live) {
        if (Kinds.SCHEME.descriptor(target.kind()).scale().isEmpty()) {
            throw new CommandException(
                    "a %s has no replicas to scale: only an %s has"
                            .formatted(target.kind().singular(), McpServer.KIND.name()));
        }
        int now = live.at("/spec/replicas").asInt(1);
        if (current.get().isPresent() && number(current) != now) {
            throw new CommandException(
                    "%s has %d replicas, not %d".formatted(target.name(), now, number(current)));
        }
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.putObject("spec").put("replicas", number(replicas));
        return Optional.of(ResourcePatch.merge(body, "scaled"));
    }

    @Override
    String unchanged() {
        return "not scaled";
    }
}
