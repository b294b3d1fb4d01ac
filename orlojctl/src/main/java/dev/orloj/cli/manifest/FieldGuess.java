package dev.orloj.cli.manifest;

import dev.orloj.cli.command.Suggestions;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Suggests the field that was meant by one that the schema does not know. */
final class FieldGuess {

    private static final int DEEPEST = 12;
    private static final int LONGEST_NAME = 100;

    /** A step of a path: a name, or an item in brackets. */
    private static final Pattern STEP = Pattern.compile("\\[[^\\]]*\\]|[^.\\[\\]]+");

    /** The words of other programs for the same things. */
    private static final Map<String, List<String>> SYNONYMS =
            Map.of(
                    "url", List.of("endpoint"),
                    "uri", List.of("endpoint"),
                    "serverUrl", List.of("endpoint"),
                    "type", List.of("transport"),
                    "cmd", List.of("command"),
                    "program", List.of("command"),
                    "arguments", List.of("args"),
                    "environment", List.of("env"),
                    "disabled", List.of("suspend"),
                    "volumes", List.of("mounts"));

    private FieldGuess() {}

    /**
     * @param schema of the whole document
     * @param path of the unknown field, such as {@code spec.env[0].nam}
     * @return the name of a field beside it, or the path of a field elsewhere
     */
    static Optional<String> of(JsonNode schema, String path) {
        List<String> steps = new ArrayList<>();
        Matcher matcher = STEP.matcher(path);
        while (matcher.find()) {
            steps.add(matcher.group());
        }
        if (steps.isEmpty() || steps.getLast().length() > LONGEST_NAME) {
            return Optional.empty();
        }
        String name = steps.removeLast();
        JsonNode parent = schema;
        for (String step : steps) {
            parent = below(parent, step);
        }
        Collection<String> siblings = parent.path("properties").propertyNames();
        return SYNONYMS.getOrDefault(name, List.of()).stream()
                .filter(siblings::contains)
                .findFirst()
                .or(() -> Suggestions.closest(name, siblings))
                .or(() -> elsewhere(schema.at("/properties/spec"), "spec", name, 0));
    }

    private static JsonNode below(JsonNode schema, String step) {
        if (!step.startsWith("[")) {
            return schema.path("properties").path(step);
        }
        return schema.has("items") ? schema.path("items") : schema.path("additionalProperties");
    }

    private static Optional<String> elsewhere(
            JsonNode schema, String path, String name, int depth) {
        JsonNode properties = schema.path("properties");
        if (properties.has(name)) {
            return Optional.of(path + "." + name);
        }
        if (depth == DEEPEST) {
            return Optional.empty();
        }
        return properties
                .propertyStream()
                .map(
                        field ->
                                elsewhere(
                                        field.getValue(),
                                        path + "." + field.getKey(),
                                        name,
                                        depth + 1))
                .flatMap(Optional::stream)
                .findFirst();
    }
}
