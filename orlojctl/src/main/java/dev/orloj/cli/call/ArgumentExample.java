package dev.orloj.cli.call;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Makes arguments that fit the schema of a tool, for the user to change. */
final class ArgumentExample {

    private static final int DEEPEST = 8;
    private static final int MAX_FIELDS = 200;

    private int fields;

    /** Returns an object with all properties, the required ones first. */
    ObjectNode of(JsonNode schema) {
        return object(schema, 0);
    }

    private ObjectNode object(JsonNode schema, int depth) {
        ObjectNode object = Json.MAPPER.createObjectNode();
        Set<String> required = new HashSet<>();
        schema.path("required").forEach(name -> required.add(name.asString("")));
        for (boolean isRequired : new boolean[] {true, false}) {
            for (Map.Entry<String, JsonNode> field : schema.path("properties").properties()) {
                if (required.contains(field.getKey()) == isRequired && fields < MAX_FIELDS) {
                    fields++;
                    object.set(field.getKey(), value(field.getValue(), depth + 1));
                }
            }
        }
        return object;
    }

    private JsonNode value(JsonNode schema, int depth) {
        for (String given : new String[] {"default", "const"}) {
            if (schema.has(given)) {
                return schema.get(given);
            }
        }
        for (String several : new String[] {"examples", "enum"}) {
            if (!schema.path(several).isEmpty()) {
                return schema.path(several).get(0);
            }
        }
        for (String choice : new String[] {"anyOf", "oneOf", "allOf"}) {
            if (!schema.path(choice).isEmpty() && depth < DEEPEST) {
                return value(schema.path(choice).get(0), depth + 1);
            }
        }
        JsonNode type = schema.path("type");
        return ofType(
                type.isArray() ? type.path(0).asString("") : type.asString(""), schema, depth);
    }

    private JsonNode ofType(String type, JsonNode schema, int depth) {
        var nodes = Json.MAPPER.getNodeFactory();
        return switch (type) {
            case "object" ->
                    depth < DEEPEST ? object(schema, depth) : Json.MAPPER.createObjectNode();
            case "array" -> {
                ArrayNode array = Json.MAPPER.createArrayNode();
                if (schema.path("items").isObject() && depth < DEEPEST) {
                    array.add(value(schema.path("items"), depth + 1));
                }
                yield array;
            }
            case "integer", "number" ->
                    schema.path("minimum").isNumber() ? schema.get("minimum") : nodes.numberNode(0);
            case "boolean" -> nodes.booleanNode(false);
            case "null" -> nodes.nullNode();
            case "" -> schema.has("properties") ? object(schema, depth) : nodes.stringNode("");
            default -> nodes.stringNode("");
        };
    }
}
