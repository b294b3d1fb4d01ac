package dev.orloj.cli.resource;

import dev.orloj.api.ApiException;
import dev.orloj.cli.command.CommandException;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.output.Text;

import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Waits until resources meet a condition, and prints each that does. */
public record GoalWait(Context context, WaitCondition goal, Instant deadline) {

    /**
     * Waits for one resource. The deletion of one that never existed is over without a line, as
     * with kubectl.
     *
     * @throws CommandException when the deadline passes, or when the resource is deleted
     */
    public void await(Targets.Named target) {
        String display = Text.qualified(target.kind()) + "/" + target.name();
        AtomicReference<String> uid = new AtomicReference<>("");
        boolean isGone = goal instanceof WaitCondition.Gone;
        ResourceWait.Outcome outcome =
                new ResourceWait(
                                context,
                                target.kind(),
                                target.key(context.namespace()),
                                "Waiting for %s of %s".formatted(goal.describe(), display),
                                goal::explain)
                        .until(resource -> isReached(target, resource, uid), Optional.of(deadline));
        if (!outcome.isReached()) {
            throw CommandException.timeout(
                    "timed out waiting for %s of %s: %s"
                            .formatted(goal.describe(), display, goal.explain(outcome.last())));
        }
        if (!isGone || !uid.get().isEmpty()) {
            context.out().print(display + (isGone ? " deleted\n" : " condition met\n"));
            context.console().flush();
        }
    }

    private boolean isReached(
            Targets.Named target, Optional<ObjectNode> resource, AtomicReference<String> uid) {
        if (goal instanceof WaitCondition.Gone) {
            resource.map(ResourceWait::uidOf).ifPresent(found -> uid.compareAndSet("", found));
            return ResourceWait.isGone(resource, uid.get());
        }
        ObjectNode found = resource.orElseThrow(() -> gone(target, uid.get()));
        uid.set(ResourceWait.uidOf(found));
        return goal.isReached(resource);
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
