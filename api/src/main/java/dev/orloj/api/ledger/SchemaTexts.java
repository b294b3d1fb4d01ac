package dev.orloj.api.ledger;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;
import java.util.Set;

/**
 * Separates a JSON Schema into its texts and the rest. A property named {@code description} is no
 * text, so the walk follows the keywords that contain schemas. The values of keywords that it does
 * not know stay in the rest.
 */
final class SchemaTexts {

    /** Texts that validate nothing. */
    private static final Set<String> TEXTS =
            Set.of("title", "description", "$comment", "default", "examples");

    /** Values that validate, and that models read as well. */
    private static final Set<String> VALUES = Set.of("enum", "const");

    private static final Set<String> SCHEMAS =
            Set.of(
                    "additionalItems",
                    "additionalProperties",
                    "allOf",
                    "anyOf",
                    "contains",
                    "contentSchema",
                    "else",
                    "if",
                    "items",
                    "not",
                    "oneOf",
                    "prefixItems",
                    "propertyNames",
                    "then",
                    "unevaluatedItems",
                    "unevaluatedProperties");

    private static final Set<String> MAPS =
            Set.of("$defs", "definitions", "dependentSchemas", "patternProperties", "properties");

    private final ObjectNode texts = Json.MAPPER.createObjectNode();

    /** Returns the texts of all schemas so far by their JSON Pointers. */
    ObjectNode texts() {
        return texts;
    }

    /**
     * Returns the schema without its texts, which are added to {@link #texts}.
     *
     * @param pointer to the schema
     */
    JsonNode separate(JsonNode schema, String pointer) {
        if (schema instanceof ArrayNode list) {
            ArrayNode rest = Json.MAPPER.createArrayNode();
            for (int i = 0; i < list.size(); i++) {
                rest.add(separate(list.path(i), pointer + "/" + i));
            }
            return rest;
        }
        if (!(schema instanceof ObjectNode object)) {
            return schema;
        }
        ObjectNode rest = Json.MAPPER.createObjectNode();
        for (Map.Entry<String, JsonNode> keyword : object.properties()) {
            String name = keyword.getKey();
            JsonNode value = keyword.getValue();
            String place = pointer + "/" + escaped(name);
            if (TEXTS.contains(name)) {
                texts.set(place, value);
            } else if (SCHEMAS.contains(name)) {
                rest.set(name, separate(value, place));
            } else if (MAPS.contains(name) && value instanceof ObjectNode schemas) {
                ObjectNode kept = rest.putObject(name);
                schemas.properties()
                        .forEach(
                                e ->
                                        kept.set(
                                                e.getKey(),
                                                separate(
                                                        e.getValue(),
                                                        place + "/" + escaped(e.getKey()))));
            } else {
                if (VALUES.contains(name)) {
                    texts.set(place, value);
                }
                rest.set(name, value);
            }
        }
        return rest;
    }

    private static String escaped(String name) {
        return name.replace("~", "~0").replace("/", "~1");
    }
}
