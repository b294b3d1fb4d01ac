package dev.orloj.runtime.call;

import dev.orloj.api.spelling.NearMiss;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.BooleanNode;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The arguments that the input schema of a tool does not define. JSON Schema allows them unless the
 * schema forbids them, but if another argument is missing, they are often misspelled. Not
 * thread-safe.
 */
final class UnknownArguments {

    private static final int MAX_NAMES = 5;
    private static final int MAX_CANDIDATES = 20;
    private static final int LONGEST_NAME = 64;

    private final List<String> given;
    private final List<String> missing;
    private boolean isListed = false;

    UnknownArguments(JsonNode inputSchema, JsonNode arguments) {
        JsonNode defined = inputSchema.path("properties");
        // A pattern defines names that are not in the schema.
        boolean isComplete = defined.isObject() && !inputSchema.has("patternProperties");
        this.given = isComplete ? namesWithout(arguments, defined) : List.of();
        this.missing = isComplete ? namesWithout(defined, arguments) : List.of();
        if (inputSchema.path("additionalProperties").equals(BooleanNode.FALSE)) {
            isListed = true; // each of them has an error of its own
        }
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
            return "\"%s\" is not an argument of the tool; did you mean \"%s\"?"
                    .formatted(guess, name);
        }
        if (isListed || given.isEmpty()) {
            return "";
        }
        isListed = true;
        String names =
                given.stream()
                        .limit(MAX_NAMES)
                        .map(each -> '"' + each + '"')
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
        return guess.isEmpty() ? "" : "; did you mean \"%s\"?".formatted(guess);
    }

    private static String guess(String name, List<String> candidates) {
        return name.length() > LONGEST_NAME
                ? ""
                : NearMiss.of(name, candidates.stream().limit(MAX_CANDIDATES).toList()).orElse("");
    }
}
