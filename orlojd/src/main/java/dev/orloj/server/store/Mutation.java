package dev.orloj.server.store;

import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;

/**
 * Decides the new state of one resource. May run more than once for one write, when another writer
 * was faster, so it must have no side effects.
 */
@FunctionalInterface
public interface Mutation {

    /**
     * @param current the stored document, free to be changed and returned; empty when there is none
     * @throws dev.orloj.api.ApiException to refuse the write
     */
    Outcome apply(Optional<ObjectNode> current);

    /** What to do; the store takes the document over. */
    sealed interface Outcome {

        /** Stores the document; when it equals the current one, nothing is written. */
        record Put(ObjectNode document) implements Outcome {}

        /** Removes the resource; watchers get {@code lastState}. */
        record Remove(ObjectNode lastState) implements Outcome {}

        /** Writes nothing; returns the document to the client. */
        record Keep(ObjectNode document) implements Outcome {}
    }
}
