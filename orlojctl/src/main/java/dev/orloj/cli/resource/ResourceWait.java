package dev.orloj.cli.resource;

import dev.orloj.api.ApiException;
import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.cli.command.Context;
import dev.orloj.cli.http.DocumentClient;
import dev.orloj.cli.http.Follower;
import dev.orloj.cli.http.ResourceSelection;
import dev.orloj.cli.http.WatchedEvent;

import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/** Watches a resource until it reaches a goal. */
public final class ResourceWait {

    private final Context context;
    private final ResourceSelection selection;
    private Optional<ObjectNode> last = Optional.empty();

    /**
     * The result of the wait.
     *
     * @param last the resource when it was last seen; empty when it does not exist
     */
    public record Outcome(boolean isReached, Optional<ObjectNode> last) {}

    public ResourceWait(Context context, Kind<?> kind, ResourceKey key) {
        this.context = context;
        this.selection = ResourceSelection.one(kind, key);
    }

    /**
     * Waits until the goal is reached or the deadline passes.
     *
     * @param goal tests every state, including absence
     * @param deadline empty for none
     */
    public Outcome until(Predicate<Optional<ObjectNode>> goal, Optional<Instant> deadline) {
        while (true) {
            DocumentClient.Listing listing = context.documents().list(selection);
            last = listing.items().stream().findFirst();
            if (goal.test(last)) {
                return new Outcome(true, last);
            }
            try {
                boolean isReached =
                        context.follower()
                                .follow(
                                        selection.request(),
                                        listing.version(),
                                        deadline,
                                        event -> goal.test(take(event)));
                return new Outcome(isReached, last);
            } catch (ApiException e) {
                if (!Follower.isExpired(e)) {
                    throw e;
                }
            }
        }
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
