package dev.orloj.server.replica;

import tools.jackson.databind.node.ObjectNode;

import java.util.function.Consumer;

/** Serves one kind of request from other replicas. Thread-safe. */
public interface ReplicaService {

    /** Returns the kind as it appears in the request path: lower case, with dashes. */
    String kind();

    /**
     * Executes a request.
     *
     * @param notification accepts messages for the other replica before the answer; returns at
     *     once, and may be called from any thread; drops the oldest when a thousand of them wait
     *     for a slow replica
     * @return the answer
     * @throws InterruptedException when the other replica no longer waits, or is gone
     */
    ObjectNode serve(ObjectNode request, Consumer<ObjectNode> notification)
            throws InterruptedException;
}
