package dev.orloj.runtime.call;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.client.SessionRequest;

import java.util.Optional;

/**
 * Routes requests to the other replicas of orlojd, when one of them owns the session. Thread-safe.
 */
@FunctionalInterface
public interface OtherReplicas {

    /** For a replica without others. */
    OtherReplicas NONE = replica -> Optional.empty();

    /** Returns the route to a replica; empty when it is this replica, or cannot be reached. */
    Optional<Route> find(String replica);

    /** The route to one replica. */
    @FunctionalInterface
    interface Route {

        /**
         * Lets the replica execute a request in its own session and within its own limits. The
         * replica does not forward the request, and the request is never repeated.
         *
         * @throws InterruptedException when the client's thread was interrupted; the replica
         *     detects this and cancels the request at the server
         */
        CallOutcome send(ResourceKey server, SessionRequest request) throws InterruptedException;
    }
}
