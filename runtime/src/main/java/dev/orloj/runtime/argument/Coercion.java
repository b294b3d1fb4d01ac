package dev.orloj.runtime.argument;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Converts arguments to the types of an input schema, following {@code properties} and {@code
 * items} only, not references and other branches. Keeps a value of an allowed type, and a value
 * that can be converted in no way or in several ways. The schema comes from a server and may be
 * malicious, so the work is limited: values beyond the limit stay unchanged and fail validation.
 * For one conversion.
 */
public final class Coercion {

    /**
     * Maximum number of members and items visited, schema keywords read, and characters written.
     */
    static final int MAX_STEPS = 1_000_000;

    private static final int LONGEST_NUMBER = 1_000;
    private static final Pattern INTEGER = Pattern.compile("-?(0|[1-9][0-9]*)");
    private static final Pattern NUMBER =
            Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]{1,3})?");

    private int left = MAX_STEPS;

    private Coercion() {}

    /**
     * Returns a converted copy of the arguments.
     *
     * @param schema not modified, and not part of the copy
     */
    public static ObjectNode coerce(ObjectNode arguments, JsonNode schema) {
        ObjectNode coerced = arguments.deepCopy();
        new Coercion().convertMembers(coerced, schema);
        return coerced;
    }

    private boolean spend(int steps) {
        left -= Math.min(left, steps);
        return left > 0;
    }

    private void convertMembers(ObjectNode object, JsonNode schema) {
        JsonNode properties = schema.path("properties");
        Set<String> required = words(schema.path("required"));
        for (Map.Entry<String, JsonNode> member : List.copyOf(object.properties())) {
            String name = member.getKey();
            JsonNode wanted = properties.path(name);
            if (!spend(1)) {
                return;
            }
            if (member.getValue().isNull() && isToBeLeftOut(wanted, required.contains(name))) {
                object.remove(name);
            } else {
                object.set(name, converted(member.getValue(), wanted));
            }
        }
        for (String name : required) {
            JsonNode usual = properties.path(name).path("default");
            if (!object.has(name) && !usual.isMissingNode() && spend(usual.toString().length())) {
                object.set(name, usual.deepCopy());
            }
        }
    }

    /** Returns whether null means "absent", because the schema gives it no other meaning. */
    private boolean isToBeLeftOut(JsonNode schema, boolean isRequired) {
        Set<String> types = types(schema);
        return !types.isEmpty()
                && !types.contains("null")
                && (!isRequired || schema.has("default"));
    }

    private JsonNode converted(JsonNode value, JsonNode schema) {
        switch (value) {
            case ObjectNode object -> convertMembers(object, schema);
            case ArrayNode array -> convertItems(array, schema.path("items"));
            default -> {
                return scalar(value, types(schema));
            }
        }
        return value;
    }

    private void convertItems(ArrayNode array, JsonNode schema) {
        for (int i = 0; i < array.size() && schema.isObject() && spend(1); i++) {
            array.set(i, converted(array.get(i), schema));
        }
    }

    private static JsonNode scalar(JsonNode value, Set<String> types) {
        if (value.isString() && !types.contains("string")) {
            return parsed(value, types);
        }
        boolean isOnlyText =
                types.contains("string")
                        && types.stream().allMatch(Set.of("string", "null")::contains);
        return isOnlyText && (value.isNumber() || value.isBoolean())
                ? JsonNodeFactory.instance.stringNode(value.toString())
                : value;
    }

    private static JsonNode parsed(JsonNode value, Set<String> types) {
        String text = value.stringValue();
        if (text.length() > LONGEST_NUMBER) {
            return value;
        }
        boolean isWanted =
                types.contains("integer") && INTEGER.matcher(text).matches()
                        || types.contains("number") && NUMBER.matcher(text).matches()
                        || types.contains("boolean")
                                && (text.equals("true") || text.equals("false"));
        // The mapper preserves all digits of a number.
        return isWanted ? Json.MAPPER.readTree(text) : value;
    }

    /** Returns the allowed types; empty when the schema does not specify them in a simple way. */
    private Set<String> types(JsonNode schema) {
        JsonNode type = schema.path("type");
        if (type.isString()) {
            return Set.of(type.stringValue());
        }
        if (type.isArray()) {
            return words(type);
        }
        Set<String> types = new HashSet<>();
        for (JsonNode branch : schema.path("anyOf")) {
            JsonNode one = branch.path("type");
            if (!one.isString() || !spend(1)) {
                return Set.of();
            }
            types.add(one.stringValue());
        }
        return types;
    }

    private Set<String> words(JsonNode array) {
        Set<String> words = new LinkedHashSet<>();
        for (JsonNode word : array) {
            if (!word.isString() || !spend(1)) {
                return Set.of();
            }
            words.add(word.stringValue());
        }
        return words;
    }
}
