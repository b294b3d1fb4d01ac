package dev.orloj.cli.server;

import dev.orloj.api.Condition;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.McpServer;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.http.Paths;
import dev.orloj.cli.http.Request;
import dev.orloj.cli.output.Text;
import dev.orloj.cli.resource.ResourceWait;
import dev.orloj.cli.resource.Targets;
import dev.orloj.cli.resource.WaitCondition;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Replaces the sessions of servers; the old sessions finish their calls. */
public final class RestartCommand extends Command {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final TextsOption arguments =
            arguments("1..*", "KIND/NAME...", "Such as mcp/github, or mcp-server github.");
    private final Flag wait = flag("Wait until the new session serves.", "--wait");
    private final TextOption timeout =
            text("TIME", "Maximum time to wait for all of them. Default: 1m.", "--timeout");

    public RestartCommand() {
        super(
                "Replace the sessions with servers, without losing a call.",
                "orlojctl restart mcp-server github --wait",
                "orlojctl restart mcp/github mcp/jira");
    }

    @Override
    public int run(Context context) {
        Instant deadline =
                context.console().clock().instant().plus(timeout.duration().orElse(TIMEOUT));
        List<Targets.Named> targets = Targets.parse(arguments.get()).named();
        if (targets.isEmpty()) {
            throw needs("names, such as mcp/github");
        }
        for (Targets.Named target : targets) {
            if (!target.kind().equals(McpServer.KIND)) {
                throw new UsageException(
                        "only an McpServer can be restarted, not a " + target.kind().singular());
            }
        }
        targets.forEach(target -> restart(context, target, deadline));
        return ExitCode.OK;
    }

    private void restart(Context context, Targets.Named target, Instant deadline) {
        ResourceKey key = target.key(context.namespace());
        String path = Paths.of(McpServer.KIND, key) + "/restart";
        byte[] answer =
                context.connection()
                        .read(
                                Request.of("POST", path, new byte[0])
                                        .with("fieldManager", "orlojctl"));
        JsonNode asked = Json.MAPPER.readTree(answer);
        if (wait.isSet()) {
            await(context, key, asked, deadline);
        }
        context.out().print("%s/%s restarted\n".formatted(qualified(), key.name()));
        context.console().flush();
    }

    private static void await(Context context, ResourceKey key, JsonNode asked, Instant deadline) {
        String uid = asked.at("/metadata/uid").asString("");
        String restart = restartOf(asked);
        WaitCondition connected =
                new WaitCondition.HasCondition(McpServer.CONNECTED, Condition.Status.TRUE.name());
        ResourceWait.Outcome outcome =
                new ResourceWait(
                                context,
                                McpServer.KIND,
                                key,
                                "Waiting for the restart of %s/%s"
                                        .formatted(qualified(), key.name()),
                                connected::explain)
                        .until(
                                server -> {
                                    if (ResourceWait.isGone(server, uid)) {
                                        throw new CommandException(
                                                "%s/%s was deleted meanwhile"
                                                        .formatted(qualified(), key.name()));
                                    }
                                    return isOver(server.get(), restart);
                                },
                                Optional.of(deadline));
        if (!outcome.isReached()) {
            throw CommandException.timeout(
                    "timed out waiting for the restart of %s/%s: %s"
                            .formatted(qualified(), key.name(), connected.explain(outcome.last())));
        }
    }

    /** Returns whether this restart is complete; a later restart includes it. */
    private static boolean isOver(ObjectNode server, String restart) {
        String observed = server.at("/status/observedRestart").asString("");
        return observed.equals(restart) || observed.equals(restartOf(server));
    }

    private static String restartOf(JsonNode server) {
        return server.at("/metadata/annotations").path(McpServer.RESTARTED_AT).asString("");
    }

    private static String qualified() {
        return Text.qualified(McpServer.KIND);
    }
}
