package dev.orloj.api.codec;

import dev.orloj.api.FieldPath;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Map;

/**
 * Removes fields that a structural schema does not know, except in strict objects, where {@link
 * SchemaValidator} rejects them.
 */
final class SchemaPruner {

    /** Marks objects in which a misspelled field would permit more than intended. */
    static final String STRICT = "x-orloj-strict";

    private final List<String> unknown;

    SchemaPruner(List<String> unknown) {
        this.unknown = unknown;
    }

    void prune(JsonNode schema, JsonNode value, FieldPath path) {
        if (schema.path("x-kubernetes-preserve-unknown-fields").asBoolean(false)) {
            return;
        }
        if (value instanceof ObjectNode object) {
            pruneObject(schema, object, path);
        } else if (value.isArray()) {
            for (int i = 0; i < value.size(); i++) {
                prune(schema.path("items"), value.path(i), path.index(i));
            }
        }
    }

    private void pruneObject(JsonNode schema, ObjectNode object, FieldPath path) {
        JsonNode properties = schema.path("properties");
        JsonNode additional = schema.path("additionalProperties");
        if (properties.isMissingNode() && additional.isMissingNode()) {
            return; // not an object in the schema: the validator reports it
        }
        for (Map.Entry<String, JsonNode> field : List.copyOf(object.properties())) {
            JsonNode known = properties.path(field.getKey());
            FieldPath child = path.child(field.getKey());
            if (known.isMissingNode() && schema.path(STRICT).asBoolean(false)) {
                continue;
            }
            if (known.isMissingNode() && additional.isMissingNode()) {
                object.remove(field.getKey());
                unknown.add(child.toString());
            } else if (field.getValue().isNull() && !isFreeForm(known)) {
                object.remove(field.getKey());
            } else {
                prune(known.isMissingNode() ? additional : known, field.getValue(), child);
            }
        }
    }

    private static boolean isFreeForm(JsonNode schema) {
        return schema.path("x-kubernetes-preserve-unknown-fields").asBoolean(false)
                && !schema.has("type");
    }
}
