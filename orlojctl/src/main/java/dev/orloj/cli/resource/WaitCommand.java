package dev.orloj.cli.resource;

import dev.orloj.api.ApiException;
import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.cli.command.Command;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.command.ExitCode;
import dev.orloj.cli.command.Flag;
import dev.orloj.cli.command.TextOption;
import dev.orloj.cli.command.TextsOption;
import dev.orloj.cli.command.UsageException;
import dev.orloj.cli.http.ResourceSelection;
import dev.orloj.cli.output.Text;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

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
            text("TIME", "How long to wait in all. Default: 30s; 0 looks once.", "--timeout");
    private final TextOption selector =
            text("LABELS", "All of the kind with these labels.", "-l", "--selector");
    private final Flag all = flag("All of the kind in the namespace.", "--all");

    public WaitCommand() {
        super(
                "Wait until resources are as they should be.",
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
                                        () ->
                                                new UsageException(
                                                        "wait for what? Say --for"
                                                                + " condition=Ready")));
        Instant deadline =
                context.console().clock().instant().plus(timeout.duration().orElse(TIMEOUT));
        for (Targets.Named target : targets(context)) {
            await(context, target, wanted, deadline);
        }
        return ExitCode.OK;
    }

    private List<Targets.Named> targets(Context context) {
        Targets targets = Targets.parse(arguments.get());
        if (!targets.named().isEmpty()) {
            return targets.named();
        }
        if (!all.isSet() && selector.get().isEmpty()) {
            throw new UsageException("wait for which ones? Give names, -l LABELS or --all");
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
        if (named.isEmpty()) {
            throw new CommandException("there is nothing to wait for");
        }
        return named;
    }

    private static void await(
            Context context, Targets.Named target, WaitCondition goal, Instant deadline) {
        ResourceKey key = target.key(context.namespace());
        AtomicReference<String> uid = new AtomicReference<>("");
        ResourceWait.Outcome outcome =
                new ResourceWait(context, target.kind(), key)
                        .until(
                                resource -> {
                                    if (goal instanceof WaitCondition.Gone) {
                                        resource.map(ResourceWait::uidOf)
                                                .ifPresent(found -> uid.compareAndSet("", found));
                                        return ResourceWait.isGone(resource, uid.get());
                                    }
                                    ObjectNode found =
                                            resource.orElseThrow(() -> gone(target, uid.get()));
                                    uid.set(ResourceWait.uidOf(found));
                                    return goal.isReached(resource);
                                },
                                Optional.of(deadline));
        String display = Text.qualified(target.kind()) + "/" + target.name();
        if (!outcome.isReached()) {
            throw CommandException.timeout(
                    "timed out waiting for %s of %s: %s"
                            .formatted(goal.describe(), display, goal.explain(outcome.last())));
        }
        context.out().print(display + " " + met(goal) + "\n");
        context.console().flush();
    }

    private static String met(WaitCondition goal) {
        return goal instanceof WaitCondition.Gone ? "deleted" : "condition met";
    }

    /**
     * @param uid empty when it never existed
     */
    private static RuntimeException gone(Targets.Named target, String uid) {
        return uid.isEmpty()
                ? ApiException.notFound(target.kind(), target.name())
                : new CommandException(
                        "%s/%s was deleted meanwhile"
                                .formatted(Text.qualified(target.kind()), target.name()));
    }
}
