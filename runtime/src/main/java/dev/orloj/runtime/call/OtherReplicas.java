package dev.orloj.runtime.call;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.client.SessionRequest;

import java.util.Optional;

/**
 * The way to the other replicas of orlojd, for requests whose session one of them has. Thread-safe.
 */
@FunctionalInterface
public interface OtherReplicas {

    /** For a replica that knows of no other. */
    OtherReplicas NONE = replica -> Optional.empty();

    /** The way to a replica; empty when it is this one, or cannot be reached from here. */
    Optional<Route> find(String replica);

    /** The way to one replica. */
    @FunctionalInterface
    interface Route {

        /**
         * Has the replica do a request in a session of its own, within its own limits. It passes
         * the request on to nobody, and the request is never sent a second time.
         *
         * @throws InterruptedException when the caller's thread was interrupted; the replica sees
         *     it, and tells the server
         */
        CallOutcome send(ResourceKey server, SessionRequest request) throws InterruptedException;
    }
}
