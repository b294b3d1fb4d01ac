package dev.orloj.cli.importing;

import dev.orloj.cli.clientfile.Place;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What the variables in a file refer to.
 *
 * @param folder to which the file belongs: that of its project; empty for a file of the user
 * @param inputs what VS Code asks its user for, by id
 * @param ask returns the user's answer, or empty without a terminal
 */
public record Surroundings(
        Map<String, String> environment,
        Path home,
        Optional<Path> folder,
        Map<String, Input> inputs,
        Function<Input, Optional<String>> ask) {

    /**
     * A value that a user enters.
     *
     * @param isPassword whether it is not shown
     */
    public record Input(String id, String description, boolean isPassword, String fallback) {}

    public static Surroundings of(Place place, Function<Input, Optional<String>> ask) {
        return new Surroundings(place.environment(), place.home(), Optional.empty(), Map.of(), ask);
    }

    /** Returns the same for a file, with the inputs that it declares. */
    Surroundings in(Optional<Path> projectFolder, JsonNode declared) {
        Map<String, Input> all = new HashMap<>();
        declared.forEach(
                input -> {
                    String id = input.path("id").asString("");
                    all.put(
                            id,
                            new Input(
                                    id,
                                    input.path("description").asString(id),
                                    input.path("password").asBoolean(false),
                                    input.path("default").asString("")));
                });
        return new Surroundings(environment, home, projectFolder, all, ask);
    }
}
