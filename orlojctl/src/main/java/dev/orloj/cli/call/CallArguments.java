package dev.orloj.cli.call;

import dev.orloj.api.codec.Json;
import dev.orloj.cli.command.UsageException;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Converts {@code key=value} arguments to JSON, according to the types in the tool's schema. */
final class CallArguments {

    private final JsonNode properties;

    CallArguments(JsonNode schema) {
        this.properties = schema.path("properties");
    }

    ObjectNode parse(List<String> given) {
        ObjectNode arguments = Json.MAPPER.createObjectNode();
        for (String argument : given) {
            int sign = argument.indexOf('=');
            if (sign < 1) {
                throw new UsageException("--arg \"" + argument + "\" is not of the form KEY=VALUE");
            }
            put(arguments, argument.substring(0, sign), argument.substring(sign + 1));
        }
        return arguments;
    }

    private void put(ObjectNode arguments, String key, String text) {
        JsonNode schema = properties.path(key);
        JsonNode json = json(text);
        if (types(schema).contains("array") && (json == null || !json.isArray())) {
            // A repeated argument collects the elements of a list.
            ArrayNode list =
                    arguments.get(key) instanceof ArrayNode started
                            ? started
                            : arguments.putArray(key);
            list.add(value(schema.path("items"), text));
            return;
        }
        if (arguments.has(key)) {
            throw new UsageException("--arg " + key + " is given twice");
        }
        arguments.set(key, value(schema, text));
    }

    /**
     * Returns the text parsed as JSON if the schema allows its type, otherwise the text as a
     * string.
     */
    private static JsonNode value(JsonNode schema, String text) {
        JsonNode json = json(text);
        Set<String> types = types(schema);
        boolean isWanted = json != null && (types.isEmpty() || types.contains(typeOf(json)));
        boolean isNumber = json != null && json.isIntegralNumber() && types.contains("number");
        return json != null && (isWanted || isNumber)
                ? json
                : Json.MAPPER.getNodeFactory().stringNode(text);
    }

    private static @Nullable JsonNode json(String text) {
        try {
            JsonNode json = text.isBlank() ? null : Json.MAPPER.readTree(text);
            // Quotes in the argument are part of the text, unless the schema allows no other type.
            return json == null || json.isMissingNode() ? null : json;
        } catch (JacksonException e) {
            return null;
        }
    }

    private static Set<String> types(JsonNode schema) {
        JsonNode type = schema.path("type");
        Set<String> types = new HashSet<>();
        if (type.isString()) {
            types.add(type.asString());
        }
        type.forEach(one -> types.add(one.asString("")));
        return types;
    }

    private static String typeOf(JsonNode json) {
        return switch (json.getNodeType()) {
            case OBJECT, POJO -> "object";
            case ARRAY -> "array";
            case NUMBER -> json.isIntegralNumber() ? "integer" : "number";
            case BOOLEAN -> "boolean";
            case NULL, MISSING -> "null";
            case STRING, BINARY -> "text in quotes"; // never a type: the quotes are intentional
        };
    }
}
