package dev.orloj.server.apply;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;

/**
 * Removes fields from a copy of a document.
 *
 * <p>A value that becomes empty stays, unless it is to be removed itself: a manager may own its
 * mere existence.
 */
final class Removal {

    private Removal() {}

    /** Returns the document without the fields. */
    static ObjectNode of(FieldType type, ObjectNode document, FieldSet fields) {
        JsonNode left = remove(type, document, fields);
        return left == null ? document.objectNode() : (ObjectNode) left;
    }

    /**
     * Returns the value without the fields; null when the value is atomic and one of the fields is
     * inside it.
     */
    private static @Nullable JsonNode remove(FieldType type, JsonNode value, FieldSet fields) {
        if (fields.isEmpty() || (value.isContainer() && value.isEmpty())) {
            return value;
        }
        return switch (type.shapeOf(value)) {
            case WHOLE -> value.isContainer() ? null : value;
            case FIELDS -> removeFields(type, value, fields);
            case ITEMS -> removeItems(type, value, fields);
        };
    }

    private static JsonNode removeFields(FieldType type, JsonNode object, FieldSet fields) {
        ObjectNode left = ((ObjectNode) object).objectNode();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            PathElement element = new PathElement.Field(field.getKey());
            if (!fields.has(element)) {
                JsonNode value =
                        remove(type.field(field.getKey()), field.getValue(), fields.below(element));
                if (value != null) {
                    left.set(field.getKey(), value);
                }
            }
        }
        return left;
    }

    private static JsonNode removeItems(FieldType type, JsonNode list, FieldSet fields) {
        ArrayNode left = ((ArrayNode) list).arrayNode();
        for (JsonNode item : list) {
            PathElement element = type.elementOf(item);
            if (!fields.has(element)) {
                JsonNode value = remove(type.items(), item, fields.below(element));
                if (value != null) {
                    left.add(value);
                }
            }
        }
        return left;
    }
}
