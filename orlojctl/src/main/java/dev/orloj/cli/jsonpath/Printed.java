package dev.orloj.cli.jsonpath;

import tools.jackson.databind.JsonNode;

import java.util.TreeSet;
import java.util.stream.Collectors;

/** Prints a value as kubectl does, which prints the values of Go. */
final class Printed {

    private Printed() {}

    /** Prints a text as it is, and objects and arrays as JSON with sorted keys. */
    static String of(JsonNode value) {
        return value.isString() ? value.asString() : json(value);
    }

    private static String json(JsonNode value) {
        if (value.isObject()) {
            return new TreeSet<>(value.propertyNames())
                    .stream()
                            .map(name -> quoted(name) + ":" + json(value.get(name)))
                            .collect(Collectors.joining(",", "{", "}"));
        }
        if (value.isArray()) {
            return value.valueStream()
                    .map(Printed::json)
                    .collect(Collectors.joining(",", "[", "]"));
        }
        return value.isString() ? quoted(value.asString()) : value.toString();
    }

    /** Quotes as Go does, which escapes what HTML gives a meaning. */
    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                case '\b' -> quoted.append("\\b");
                case '\f' -> quoted.append("\\f");
                case '<', '>', '&', '\u2028', '\u2029' ->
                        quoted.append("\\u%04x".formatted((int) c));
                default -> {
                    if (c < ' ') {
                        quoted.append("\\u%04x".formatted((int) c));
                    } else {
                        quoted.append(c);
                    }
                }
            }
        }
        return quoted.append('"').toString();
    }

    /** Prints a value in a column: {@code map[a:b]} and {@code [a b]} for structures. */
    static String inColumn(JsonNode value) {
        if (value.isObject()) {
            return new TreeSet<>(value.propertyNames())
                    .stream()
                            .map(name -> name + ":" + inColumn(value.get(name)))
                            .collect(Collectors.joining(" ", "map[", "]"));
        }
        if (value.isArray()) {
            return value.valueStream()
                    .map(Printed::inColumn)
                    .collect(Collectors.joining(" ", "[", "]"));
        }
        return value.isNull() ? "<nil>" : value.isString() ? value.asString() : value.toString();
    }
}
