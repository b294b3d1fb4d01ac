package dev.orloj.api.codec;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;

/** Describes how to write a value of the wrong type in the right one. */
final class TypeRemedy {

    private TypeRemedy() {}

    /**
     * Returns what to write instead, without the value, which may be a secret.
     *
     * @param schema of the field, which has a type other than that of the value
     */
    static String of(JsonNode schema, JsonNode value) {
        return switch (schema.path("type").asString("")) {
            case "array" -> "write a list, such as " + list(schema.path("items"));
            case "object" -> "write names with their values, such as {name: value}";
            case "string" ->
                    value.isNumber() || value.isBoolean()
                            ? "put it in quotes, so that it is text"
                            : "write one text";
            case "integer" -> integer(value);
            case "number" -> value.isString() ? "write it without quotes" : "write a number";
            default ->
                    value.isString()
                            ? "write true or false, without quotes"
                            : "write true or false";
        };
    }

    private static String integer(JsonNode value) {
        if (value.isIntegralNumber()) {
            return "the number is too large";
        }
        return value.isString() ? "write it without quotes" : "write a whole number";
    }

    /** Returns an example, such as {@code [{name: ..., value: ...}]} or {@code ["a", "b"]}. */
    private static String list(JsonNode items) {
        if (!items.path("type").asString("").equals("object")) {
            return "[\"a\", \"b\"]";
        }
        List<String> fields = new ArrayList<>();
        items.path("required").forEach(name -> fields.add(name.asString()));
        for (String usual : List.of("name", "value")) {
            if (items.path("properties").has(usual) && !fields.contains(usual)) {
                fields.add(usual);
            }
        }
        if (fields.isEmpty()) {
            items.path("properties").propertyNames().stream().findFirst().ifPresent(fields::add);
        }
        return "[{" + String.join(": ..., ", fields) + ": ...}]";
    }
}
