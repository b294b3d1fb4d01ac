package dev.orloj.cli.resource;

import dev.orloj.api.Kind;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.http.ResourceSelection;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Waits until resources meet a condition. */
public final class WaitCommand extends Command {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final TextsOption arguments =
            arguments("0..*", "KIND/NAME...", "Such as mcp/github, or mcp github.");
    private final TextOption goal =
            text(
                    "GOAL",
                    "condition=TYPE, condition=TYPE=STATUS, delete or '{.status.phase}'=VALUE.",
                    "--for");
    private final TextOption timeout =
            text(
                    "TIME",
                    "Maximum time to wait for all of them. Default: 30s; 0 checks" + " once.",
                    "--timeout");
    private final TextOption selector =
            text("LABELS", "All resources of the kind with these labels.", "-l", "--selector");
    private final Flag all = flag("All resources of the kind in the namespace.", "--all");

    public WaitCommand() {
        super(
                "Wait until resources reach a state.",
                "orlojctl wait mcp/everything --for condition=Ready --timeout 2m",
                "orlojctl wait mcp --all --for '{.status.phase}'=Ready",
                "orlojctl wait mcp/everything --for delete");
    }

    @Override
    public int run(Context context) {
        WaitCondition wanted =
                WaitCondition.parse(
                        goal.get()
                                .orElseThrow(
                                        () -> needs("--for GOAL, such as --for condition=Ready")));
        Instant deadline =
                context.console().clock().instant().plus(timeout.duration().orElse(TIMEOUT));
        GoalWait wait = new GoalWait(context, wanted, deadline);
        targets(context, wanted).forEach(wait::await);
        return ExitCode.OK;
    }

    private List<Targets.Named> targets(Context context, WaitCondition wanted) {
        if (arguments.get().isEmpty()) {
            throw needs("KIND/NAME..., such as mcp/github");
        }
        Targets targets = Targets.parse(arguments.get());
        if (!targets.named().isEmpty()) {
            return targets.named();
        }
        if (!all.isSet() && selector.get().isEmpty()) {
            throw needs("names, -l LABELS or --all");
        }
        List<Targets.Named> named = new ArrayList<>();
        for (Kind<?> kind : targets.kinds()) {
            String namespace = kind.namespaced() ? context.namespace() : "";
            ResourceSelection selection =
                    new ResourceSelection(kind, namespace, selector.orElse(""), "");
            for (ObjectNode item : context.documents().list(selection).items()) {
                named.add(new Targets.Named(kind, item.at("/metadata/name").asString("")));
            }
        }
        if (named.isEmpty() && !(wanted instanceof WaitCondition.Gone)) {
            throw new CommandException("there is nothing to wait for");
        }
        return named;
    }
}
