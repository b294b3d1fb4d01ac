package dev.orloj.cli.resource;

import dev.orloj.api.ApiException;
import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.v1.McpServer;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.http.DocumentClient;
import dev.orloj.cli.http.Follower;
import dev.orloj.cli.http.ResourceSelection;
import dev.orloj.cli.http.WatchedEvent;
import dev.orloj.cli.output.Progress;

import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** Watches a resource until it reaches a goal. */
public final class ResourceWait {

    private final Context context;
    private final ResourceSelection selection;
    private final String waitingFor;
    private final Function<Optional<ObjectNode>, String> explain;
    private Optional<ObjectNode> last = Optional.empty();

    /**
     * The result of the wait.
     *
     * @param last the resource when it was last seen; empty when it does not exist
     */
    public record Outcome(boolean isReached, Optional<ObjectNode> last) {}

    /** Creates a wait that shows nothing. */
    ResourceWait(Context context, Kind<?> kind, ResourceKey key) {
        this(context, kind, key, "", _ -> "");
    }

    /**
     * Creates a wait that shows its progress.
     *
     * @param waitingFor what is shown, such as {@code Waiting for condition=Ready of tool/a}; empty
     *     to show nothing
     * @param explain why the goal is not yet reached
     */
    public ResourceWait(
            Context context,
            Kind<?> kind,
            ResourceKey key,
            String waitingFor,
            Function<Optional<ObjectNode>, String> explain) {
        this.context = context;
        this.selection = ResourceSelection.one(kind, key);
        this.waitingFor = waitingFor;
        this.explain = explain;
    }

    /**
     * Waits until the goal is reached or the deadline passes.
     *
     * @param goal tests every state, including absence
     * @param deadline empty for none
     */
    public Outcome until(Predicate<Optional<ObjectNode>> goal, Optional<Instant> deadline) {
        try (Progress progress = context.console().progress()) {
            return until(goal, deadline, progress);
        }
    }

    private Outcome until(
            Predicate<Optional<ObjectNode>> goal, Optional<Instant> deadline, Progress progress) {
        while (true) {
            DocumentClient.Listing listing = context.documents().list(selection);
            last = listing.items().stream().findFirst();
            if (goal.test(last)) {
                return new Outcome(true, last);
            }
            if (deadline.map(end -> context.console().clock().instant().isBefore(end))
                    .orElse(true)) {
                show(progress);
            }
            try {
                boolean isReached =
                        context.follower()
                                .follow(
                                        selection.request(),
                                        listing.version(),
                                        deadline,
                                        event -> {
                                            if (goal.test(take(event))) {
                                                return true;
                                            }
                                            show(progress);
                                            return false;
                                        });
                return new Outcome(isReached, last);
            } catch (ApiException e) {
                if (!Follower.isExpired(e)) {
                    throw e;
                }
            }
        }
    }

    private void show(Progress progress) {
        if (!waitingFor.isEmpty()) {
            progress.show(waitingFor + ": " + pulling().orElseGet(() -> explain.apply(last)));
        }
    }

    /** Returns how far the pull of an image is, which other conditions do not say. */
    private Optional<String> pulling() {
        return last.flatMap(
                resource ->
                        resource.at("/status/conditions")
                                .valueStream()
                                .filter(
                                        c ->
                                                c.path("reason")
                                                        .asString("")
                                                        .equals(McpServer.PULLING))
                                .map(c -> c.path("message").asString(""))
                                .findFirst());
    }

    /**
     * Returns whether the resource with this uid is gone. A new one with the same name may exist.
     *
     * @param uid empty when it is unknown
     */
    public static boolean isGone(Optional<ObjectNode> resource, String uid) {
        return resource.map(next -> !uid.isEmpty() && !uidOf(next).equals(uid)).orElse(true);
    }

    static String uidOf(ObjectNode resource) {
        return resource.at("/metadata/uid").asString("");
    }

    private Optional<ObjectNode> take(WatchedEvent event) {
        last = event.isDeletion() ? Optional.empty() : Optional.of((ObjectNode) event.object());
        return last;
    }
}
