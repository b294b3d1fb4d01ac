package dev.orloj.server.registry;

import tools.jackson.databind.node.ObjectNode;

/** The result of deleting a resource. */
public sealed interface Deletion {

    /** The resource is gone; the document is its last state. */
    record Gone(ObjectNode lastState) implements Deletion {}

    /** Finalizers keep the resource. */
    record Terminating(ObjectNode document) implements Deletion {}
}
