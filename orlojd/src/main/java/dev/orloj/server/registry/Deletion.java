package dev.orloj.server.registry;

import tools.jackson.databind.node.ObjectNode;

/** What became of a resource that was to be deleted. */
public sealed interface Deletion {

    /** It is gone; the document is its last state. */
    record Gone(ObjectNode lastState) implements Deletion {}

    /** Finalizers hold it. */
    record Terminating(ObjectNode document) implements Deletion {}
}
