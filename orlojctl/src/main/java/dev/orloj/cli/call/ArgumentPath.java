package dev.orloj.cli.call;

import dev.orloj.cli.command.UsageException;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/**
 * The key of an argument: a property, or a path to a value within one, such as {@code
 * filters.0.field}.
 */
record ArgumentPath(String text, List<String> steps) {

    /**
     * @param properties of the schema: a property with dots in its name is not a path
     */
    static ArgumentPath parse(String text, JsonNode properties) {
        if (properties.has(text)) {
            return new ArgumentPath(text, List.of(text));
        }
        List<String> steps = new ArrayList<>();
        StringBuilder step = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length() && text.charAt(i + 1) == '.') {
                step.append('.');
                i++;
            } else if (c == '.') {
                steps.add(step.toString());
                step.setLength(0);
            } else {
                step.append(c);
            }
        }
        steps.add(step.toString());
        if (steps.contains("")) {
            throw new UsageException(
                    "--arg \"%s\": a part of the key is empty; write \\. for a dot in a name"
                            .formatted(text));
        }
        return new ArgumentPath(text, steps);
    }

    /** Returns the schema of the value. */
    JsonNode schema(JsonNode root) {
        JsonNode schema = root;
        for (String step : steps) {
            schema =
                    schema.path("properties").has(step)
                            ? schema.path("properties").path(step)
                            : isIndex(step) && schema.has("items")
                                    ? schema.path("items")
                                    : schema.path("additionalProperties");
        }
        return schema;
    }

    /** Returns the object or array that has the value, which is made where it is missing. */
    JsonNode parent(ObjectNode root) {
        JsonNode parent = root;
        for (int i = 0; i < steps.size() - 1; i++) {
            boolean isList = isIndex(steps.get(i + 1));
            JsonNode next = child(parent, steps.get(i));
            if (next.isMissingNode()) {
                next =
                        isList
                                ? parent.isArray()
                                        ? ((ArrayNode) parent).addArray()
                                        : ((ObjectNode) parent).putArray(steps.get(i))
                                : parent.isArray()
                                        ? ((ArrayNode) parent).addObject()
                                        : ((ObjectNode) parent).putObject(steps.get(i));
            }
            parent = next;
        }
        child(parent, steps.getLast());
        return parent;
    }

    /** Returns the value at a step, or a missing node where it can be added. */
    private JsonNode child(JsonNode parent, String step) {
        if (parent instanceof ObjectNode object) {
            return object.path(step);
        }
        if (parent instanceof ArrayNode array && isIndex(step)) {
            int index = Integer.parseInt(step);
            if (index > array.size()) {
                throw new UsageException(
                        "--arg %s: the list has %d elements so far, so the next index is %d"
                                .formatted(text, array.size(), array.size()));
            }
            return array.path(index);
        }
        throw new UsageException(
                "--arg %s: \"%s\" does not fit the value that an --arg before it set"
                        .formatted(text, step));
    }

    String last() {
        return steps.getLast();
    }

    private static boolean isIndex(String step) {
        return step.length() <= 5 && step.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
