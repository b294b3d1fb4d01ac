package dev.orloj.server.admission;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.codec.KindDescriptor;
import dev.orloj.api.codec.SensitiveValues;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Restores sensitive values in masked documents, so that a document that was printed, edited and
 * applied never overwrites a value with the mask.
 */
final class SensitiveFields {

    private static final String ANNOTATIONS = "/metadata/annotations";

    private SensitiveFields() {}

    /**
     * Replaces masks with the stored values.
     *
     * @return an error for each mask without a stored value
     */
    static List<FieldError> restore(
            KindDescriptor<?> kind, ObjectNode document, Optional<ObjectNode> before) {
        List<FieldError> errors = new ArrayList<>();
        for (String pointer : kind.sensitiveFields()) {
            if (!(document.at(pointer) instanceof ObjectNode values)) {
                continue;
            }
            for (Map.Entry<String, JsonNode> value : List.copyOf(values.properties())) {
                if (!value.getValue().asString("").equals(SensitiveValues.MASK)) {
                    continue;
                }
                JsonNode stored =
                        before.<JsonNode>map(b -> b.at(pointer).path(value.getKey()))
                                .orElseGet(MissingNode::getInstance);
                if (stored.isMissingNode()) {
                    errors.add(
                            FieldError.invalid(
                                    path(pointer).key(value.getKey()),
                                    SensitiveValues.MASK,
                                    "stands for a stored value, and none is stored under this key;"
                                            + " give the value"));
                } else {
                    values.set(value.getKey(), stored);
                }
            }
        }
        before.ifPresent(stored -> restoreLastApplied(kind, document, stored));
        return errors;
    }

    private static void restoreLastApplied(
            KindDescriptor<?> kind, ObjectNode document, ObjectNode stored) {
        if (kind.sensitiveFields().isEmpty()
                || !(document.at(ANNOTATIONS) instanceof ObjectNode annotations)
                || !annotations.has(SensitiveValues.LAST_APPLIED)) {
            return;
        }
        JsonNode masked = lastApplied(SensitiveValues.masked(kind, stored));
        if (annotations.path(SensitiveValues.LAST_APPLIED).equals(masked)) {
            annotations.set(SensitiveValues.LAST_APPLIED, lastApplied(stored));
        }
    }

    private static JsonNode lastApplied(ObjectNode document) {
        return document.at(ANNOTATIONS).path(SensitiveValues.LAST_APPLIED);
    }

    private static FieldPath path(String pointer) {
        FieldPath path = FieldPath.root();
        for (String name : pointer.substring(1).split("/", -1)) {
            path = path.child(name);
        }
        return path;
    }
}
