package dev.orloj.cli.change;

import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.resource.Targets;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Optional;

/** Suspends servers, whose calls are then refused, or lets them run again. */
public final class SuspendCommand extends ChangeCommand {

    private final boolean suspend;
    private final TextsOption arguments =
            arguments("0..*", "KIND/NAME...", "Such as mcp/github, or mcp github.");

    private SuspendCommand(boolean suspend, String summary, String... examples) {
        super(summary, examples);
        this.suspend = suspend;
    }

    public static SuspendCommand suspend() {
        return new SuspendCommand(
                true,
                "Stop servers; their tools stay listed, and calls are refused.",
                "orlojctl suspend mcp/github",
                "orlojctl suspend mcp -l team=web");
    }

    public static SuspendCommand resume() {
        return new SuspendCommand(false, "Resume suspended servers.", "orlojctl resume mcp/github");
    }

    @Override
    public int run(Context context) {
        return change(context, arguments.get());
    }

    @Override
    Optional<ResourcePatch> patch(Targets.Named target, ObjectNode live) {
        if (!List.of(McpServer.KIND, Sandbox.KIND).contains(target.kind())) {
            throw new CommandException(
                    "only an McpServer or a Sandbox can be suspended, not a "
                            + target.kind().singular());
        }
        boolean isSuspended = live.at("/spec/suspend").asBoolean(false);
        boolean isScaledDown =
                target.kind().equals(McpServer.KIND) && live.at("/spec/replicas").asInt(1) == 0;
        ObjectNode body = Json.MAPPER.createObjectNode();
        ObjectNode spec = body.putObject("spec");
        if (suspend != isSuspended) {
            spec.put("suspend", suspend);
        }
        if (!suspend && isScaledDown) {
            spec.put("replicas", 1);
        }
        return spec.isEmpty()
                ? Optional.empty()
                : Optional.of(ResourcePatch.merge(body, suspend ? "suspended" : "resumed"));
    }

    @Override
    String unchanged() {
        return suspend ? "already suspended" : "not suspended";
    }
}
