package dev.orloj.runtime.call;

import dev.orloj.api.codec.Json;
import dev.orloj.api.spelling.NearMiss;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The arguments, or members of one object in them, that the schema does not define. JSON Schema
 * allows them unless the schema forbids them, but if another one is missing, they are often
 * misspelled. Not thread-safe.
 */
final class UnknownArguments {

    private static final int MAX_NAMES = 5;
    private static final int MAX_CANDIDATES = 20;
    private static final int LONGEST_NAME = 64;

    /** Keywords with schemas that may define more members of the same object. */
    static final List<String> COMBINING =
            List.of("allOf", "anyOf", "oneOf", "then", "else", "dependentSchemas", "dependencies");

    private final List<String> given;
    private final List<String> missing;
    private boolean isListed;

    UnknownArguments(JsonNode schema, JsonNode object) {
        JsonNode defined = schema.path("properties");
        boolean isComplete = isComplete(schema);
        this.given = isComplete ? namesWithout(object, defined) : List.of();
        this.missing = isComplete ? namesWithout(defined, object) : List.of();
        // They have an error each, or are allowed on purpose.
        this.isListed = schema.has("additionalProperties") || schema.has("unevaluatedProperties");
    }

    private static boolean isComplete(JsonNode schema) {
        return schema.path("properties").isObject()
                && !schema.has("patternProperties")
                && !schema.has("$ref")
                && COMBINING.stream()
                        .map(schema::path)
                        .allMatch(
                                part ->
                                        part.findValue("properties") == null
                                                && part.findValue("$ref") == null);
    }

    private static List<String> namesWithout(JsonNode names, JsonNode others) {
        return names.propertyNames().stream()
                .filter(name -> !others.has(name) && name.length() <= LONGEST_NAME)
                .toList();
    }

    /** Returns what to say about an argument that is required and missing; empty for nothing. */
    String besideMissing(String name) {
        String guess = guess(name, given);
        if (!guess.isEmpty()) {
            return quoted(guess)
                    + " is not an argument of the tool; did you mean "
                    + quoted(name)
                    + "?";
        }
        if (isListed || given.isEmpty()) {
            return "";
        }
        isListed = true;
        String names =
                given.stream()
                        .limit(MAX_NAMES)
                        .map(UnknownArguments::quoted)
                        .collect(Collectors.joining(", "));
        if (given.size() > MAX_NAMES) {
            names += " and %d more".formatted(given.size() - MAX_NAMES);
        }
        return given.size() == 1
                ? names + " is not an argument of the tool"
                : names + " are not arguments of the tool";
    }

    /** Returns a question about an argument that the schema forbids; empty for none. */
    String insteadOf(String name) {
        String guess = guess(name, missing);
        return guess.isEmpty() ? "" : "; did you mean " + quoted(guess) + "?";
    }

    /** Names come from clients and servers, and may have control characters. */
    private static String quoted(String name) {
        return Json.MAPPER.writeValueAsString(name);
    }

    private static String guess(String name, List<String> candidates) {
        return name.length() > LONGEST_NAME
                ? ""
                : NearMiss.of(name, candidates.stream().limit(MAX_CANDIDATES).toList()).orElse("");
    }
}
