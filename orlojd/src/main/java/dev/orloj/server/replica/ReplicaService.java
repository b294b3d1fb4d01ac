package dev.orloj.server.replica;

import tools.jackson.databind.node.ObjectNode;

import java.util.function.Consumer;

/** Something that this replica does for the others. Thread-safe. */
public interface ReplicaService {

    /** What it is called in the path of a request: lower case, with dashes. */
    String kind();

    /**
     * Does it.
     *
     * @param notification takes what the other replica is to hear before the answer; returns at
     *     once, and may be called from any thread; when a thousand of them wait for a slow replica,
     *     the oldest go
     * @return the answer
     * @throws InterruptedException when the other replica does not wait any more, or is gone
     */
    ObjectNode serve(ObjectNode request, Consumer<ObjectNode> notification)
            throws InterruptedException;
}
