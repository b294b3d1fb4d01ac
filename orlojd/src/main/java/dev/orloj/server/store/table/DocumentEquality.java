package dev.orloj.server.store.table;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Comparator;

/**
 * Compares the content of two documents, independent of the Java types of their numbers: one may
 * have been parsed, the other built by a program.
 */
public final class DocumentEquality {

    private static final Comparator<JsonNode> SAME_VALUE =
            (left, right) -> isSameValue(left, right) ? 0 : 1;

    private DocumentEquality() {}

    /** Ignores {@code metadata.resourceVersion} and the order of keys. */
    public static boolean sameButForVersion(ObjectNode left, ObjectNode right) {
        return stripped(left).equals(SAME_VALUE, stripped(right));
    }

    private static ObjectNode stripped(ObjectNode document) {
        if (!(document.path("metadata") instanceof ObjectNode metadata)) {
            return document;
        }
        ObjectNode withoutVersion = metadata.objectNode().setAll(metadata);
        withoutVersion.remove("resourceVersion");
        return document.objectNode().setAll(document).set("metadata", withoutVersion);
    }

    private static boolean isSameValue(JsonNode left, JsonNode right) {
        if (left.isNumber() && right.isNumber()) {
            boolean integral = left.isIntegralNumber();
            return integral == right.isIntegralNumber()
                    && (integral
                            ? left.bigIntegerValue().equals(right.bigIntegerValue())
                            : left.decimalValue().equals(right.decimalValue()));
        }
        return left.equals(right);
    }
}
