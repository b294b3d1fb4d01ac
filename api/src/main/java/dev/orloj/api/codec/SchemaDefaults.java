package dev.orloj.api.codec;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;

/** Sets the defaults of a structural schema. */
final class SchemaDefaults {

    private SchemaDefaults() {}

    static void apply(JsonNode schema, JsonNode value) {
        if (value instanceof ObjectNode object) {
            applyToObject(schema, object);
        } else if (value.isArray()) {
            value.forEach(item -> apply(schema.path("items"), item));
        }
    }

    private static void applyToObject(JsonNode schema, ObjectNode object) {
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            JsonNode fallback = property.getValue().get("default");
            if (fallback != null && !object.has(property.getKey())) {
                object.set(property.getKey(), fallback.deepCopy());
            }
            JsonNode child = object.get(property.getKey());
            if (child != null) {
                apply(property.getValue(), child);
            }
        }
    }
}
