package dev.orloj.cli.importing;

import dev.orloj.cli.clientfile.ClientFile;
import dev.orloj.cli.clientfile.ClientProgram;
import dev.orloj.cli.clientfile.Platform;
import dev.orloj.cli.variable.AllowedVariables;
import dev.orloj.cli.variable.ReadableFiles;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What the variables in a file refer to.
 *
 * @param files that the file may refer to
 * @param folder to which the file belongs: that of its project; empty for a file of the user
 * @param inputs what VS Code asks its user for, by id
 * @param ask returns the user's answer, or empty without a terminal
 */
public record Surroundings(
        AllowedVariables variables,
        ReadableFiles files,
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

    /**
     * Returns the surroundings of a file. What programs of this user read from their usual places
     * may use all variables and files, as it does there; any other file may come from elsewhere.
     *
     * @param allowed what the user allows the others
     * @param ask returns the user's answer, or empty without a terminal
     */
    public static Surroundings of(
            ClientFile file,
            Platform platform,
            AllowedVariables allowed,
            Function<Input, Optional<String>> ask) {
        Optional<Path> project =
                file.path().flatMap(path -> ClientFolders.project(path, platform.home()));
        boolean isOfUser =
                project.isEmpty()
                        && file.path().map(p -> ClientProgram.isUsual(p, platform)).orElse(false);
        if (isOfUser) {
            return new Surroundings(
                    AllowedVariables.all(platform.environment()),
                    ReadableFiles.ANY,
                    platform.home(),
                    project,
                    Map.of(),
                    ask);
        }
        ReadableFiles files =
                project.or(() -> file.path().map(p -> p.toAbsolutePath().getParent()))
                        .map(ReadableFiles::below)
                        .orElse(ReadableFiles.NONE);
        return new Surroundings(allowed, files, platform.home(), project, Map.of(), ask);
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
        return new Surroundings(variables, files, home, projectFolder, all, ask);
    }
}
