package dev.orloj.server.registry;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Comparator;

/** Compares the content of documents; compares numbers by value, whatever their notation. */
final class Content {

    private static final Comparator<JsonNode> BY_VALUE =
            (a, b) -> {
                if (a.isNumber() && b.isNumber()) {
                    return a.decimalValue().compareTo(b.decimalValue());
                }
                return a.equals(b) ? 0 : 1;
            };

    private Content() {}

    static boolean isSame(ObjectNode a, ObjectNode b) {
        return a.equals(BY_VALUE, b);
    }

    /**
     * Returns whether the documents have the same desired state: everything but metadata and status
     * is equal.
     */
    static boolean isSameDesire(ObjectNode a, ObjectNode b) {
        return isSame(desire(a), desire(b));
    }

    private static ObjectNode desire(ObjectNode document) {
        ObjectNode shallow = document.objectNode().setAll(document);
        shallow.remove("metadata");
        shallow.remove("status");
        return shallow;
    }
}
