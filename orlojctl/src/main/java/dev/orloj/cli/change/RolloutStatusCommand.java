package dev.orloj.cli.change;

import dev.orloj.api.ApiException;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.output.Text;
import dev.orloj.cli.resource.ResourceWait;
import dev.orloj.cli.resource.Targets;
import dev.orloj.cli.resource.WaitCondition;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Waits until the current spec of servers is in effect. */
final class RolloutStatusCommand extends Command {

    private final TextsOption arguments =
            arguments("1..*", "KIND/NAME...", "Such as mcp/github, or mcp github.");
    private final TextOption timeout =
            text("TIME", "Maximum time to wait for all of them. Default: no limit.", "--timeout");
    private final TextOption watch =
            text("BOOL", "Wait until the change is in effect. Default: true.", "-w", "--watch");

    RolloutStatusCommand() {
        super(
                "Wait until the current spec of servers is in effect.",
                "orlojctl rollout status mcp/github --timeout 2m");
    }

    @Override
    public int run(Context context) {
        List<Targets.Named> targets = Targets.parse(arguments.get()).named();
        if (targets.isEmpty()) {
            throw needs("names, such as mcp/github");
        }
        Instant now = context.console().clock().instant();
        Optional<Instant> deadline =
                isWaiting()
                        ? timeout.duration().filter(time -> !time.isZero()).map(now::plus)
                        : Optional.of(now);
        for (Targets.Named target : targets) {
            await(context, target, deadline);
        }
        return ExitCode.OK;
    }

    private boolean isWaiting() {
        return switch (watch.orElse("true")) {
            case "true" -> true;
            case "false" -> false;
            default ->
                    throw new UsageException(
                            "--watch \"%s\": expected true or false".formatted(watch.orElse("")));
        };
    }

    private static void await(Context context, Targets.Named target, Optional<Instant> deadline) {
        WaitCondition ready = new WaitCondition.HasCondition("Ready", "True");
        String display = "%s \"%s\"".formatted(Text.qualified(target.kind()), target.name());
        ResourceWait.Outcome outcome =
                new ResourceWait(
                                context,
                                target.kind(),
                                target.key(context.namespace()),
                                "Waiting for the rollout of " + display,
                                ready::explain)
                        .until(
                                resource -> {
                                    if (resource.isEmpty()) {
                                        throw ApiException.notFound(target.kind(), target.name());
                                    }
                                    return ready.isReached(resource);
                                },
                                deadline);
        if (!outcome.isReached()) {
            throw CommandException.timeout(
                    "%s is not rolled out: %s".formatted(display, ready.explain(outcome.last())));
        }
        context.out().print(display + " successfully rolled out\n");
        context.console().flush();
    }
}
