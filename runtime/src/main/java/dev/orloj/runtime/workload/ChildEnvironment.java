package dev.orloj.runtime.workload;

import dev.orloj.api.Frozen;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Builds the environment of a child process: a few variables of orlojd that hold no secrets and
 * that programs require, and the variables of the server's definition. No other variable of orlojd
 * is passed on.
 */
final class ChildEnvironment {

    private static final Set<String> INHERITED = Set.of("PATH", "HOME", "USER", "LANG", "TMPDIR");
    static final String DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

    private final Map<String, String> variables;

    private ChildEnvironment(Map<String, String> variables) {
        this.variables = Frozen.map(variables);
    }

    /**
     * @param own the environment of orlojd
     * @param defined the variables of the definition; they take precedence
     */
    static ChildEnvironment of(Map<String, String> own, Map<String, String> defined) {
        return of(own, Map.of(), defined);
    }

    /**
     * @param user the variables of the account of the child; they take precedence over those of
     *     orlojd
     */
    static ChildEnvironment of(
            Map<String, String> own, Map<String, String> user, Map<String, String> defined) {
        Map<String, String> variables = new TreeMap<>();
        variables.put("PATH", DEFAULT_PATH);
        own.forEach(
                (name, value) -> {
                    if (INHERITED.contains(name) || name.startsWith("LC_")) {
                        variables.put(name, value);
                    }
                });
        variables.putAll(user);
        defined.forEach(
                (name, value) -> {
                    requirePossible(name, value);
                    variables.put(name, value);
                });
        return new ChildEnvironment(variables);
    }

    /** Rejects invalid variables here, because the JDK's message would show the value. */
    private static void requirePossible(String name, String value) {
        if (name.isEmpty() || name.contains("=") || name.contains("\0") || value.contains("\0")) {
            throw new WorkloadException(
                    "Environment variable \""
                            + name.replace("\0", "\\0")
                            + "\" has a name or a value that no process can be given");
        }
    }

    Map<String, String> variables() {
        return variables;
    }

    /**
     * Resolves {@code program} to a file, as the child would. The programs that start the child do
     * not do this, so that a missing program is reported as such.
     *
     * @throws WorkloadException when no executable file is found
     */
    Path executable(String program) {
        return executable(program, Optional.empty());
    }

    /**
     * Like {@link #executable(String)}, for a child that runs as another user.
     *
     * @param user who has to be able to execute the file; empty for the user of orlojd
     */
    Path executable(String program, Optional<ProcessUser> user) {
        if (program.contains("/") || program.contains(File.separator)) {
            return requireExecutable(Path.of(program), program, user);
        }
        String path = variables.getOrDefault("PATH", DEFAULT_PATH);
        return folders(path)
                .map(folder -> folder.resolve(program))
                .filter(file -> isProgram(file, user))
                .findFirst()
                .orElseThrow(() -> notFound(program, path, user));
    }

    private static WorkloadException notFound(
            String program, String path, Optional<ProcessUser> user) {
        return new WorkloadException(
                "Command \"%s\" not found on the PATH of the server, \"%s\"%s; install it, give its absolute path, or set PATH in env"
                        .formatted(
                                program,
                                path,
                                user.map(ProcessUser::name)
                                        .map(", where user \"%s\" may execute it"::formatted)
                                        .orElse("")));
    }

    private static Path requireExecutable(Path file, String program, Optional<ProcessUser> user) {
        if (isProgram(file, user)) {
            return file.toAbsolutePath();
        }
        if (isProgram(file, Optional.empty())) {
            throw new WorkloadException(
                    "Command \"%s\" cannot be executed by user \"%s\"; change the mode of the file or of its folders"
                            .formatted(program, user.map(ProcessUser::name).orElse("")));
        }
        throw new WorkloadException(
                Files.exists(file)
                        ? "Command \"" + program + "\" is no executable file"
                        : "Command \"" + program + "\" does not exist");
    }

    private static boolean isProgram(Path file, Optional<ProcessUser> user) {
        return Files.isRegularFile(file)
                && Files.isExecutable(file)
                && user.map(account -> account.mayExecute(file)).orElse(true);
    }

    private static Stream<Path> folders(String path) {
        return List.of(path.split(File.pathSeparator)).stream()
                .filter(folder -> !folder.isEmpty())
                .map(Path::of);
    }
}
