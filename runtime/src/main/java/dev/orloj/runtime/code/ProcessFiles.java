package dev.orloj.runtime.code;

import dev.orloj.runtime.process.ProcessFamily;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The files that processes of this host name in their command lines. Empty without /proc. */
final class ProcessFiles {

    private static final int MAX_PROCESSES = 100;
    private static final int MAX_COMMAND_LINE = 64 * 1024;

    /** The arguments that are looked at: a program, its options and its script come first. */
    private static final int MAX_ARGUMENTS = 20;

    private ProcessFiles() {}

    /** Returns the absolute paths in the command lines of a process and its descendants. */
    static List<Path> namedBy(long pid) {
        return family(pid)
                .flatMap(process -> arguments(process).stream())
                .filter(argument -> argument.startsWith("/"))
                .flatMap(argument -> path(argument).stream())
                .toList();
    }

    private static Stream<Long> family(long pid) {
        return ProcessFamily.of(pid, MAX_PROCESSES).stream();
    }

    private static Stream<Path> executables(long pid) {
        return family(pid)
                .flatMap(process -> ProcessHandle.of(process).stream())
                .flatMap(process -> process.info().command().stream())
                .flatMap(file -> path(file).stream());
    }

    /**
     * Finds the file of a program or script.
     *
     * @param command the first word of the command line, which is looked up on the PATH
     */
    static Optional<Path> find(String program, long pid, String command) {
        if (program.equals(command) && program.indexOf('/') < 0) {
            // A program is the file of its process, and a script is an argument of it.
            return Stream.concat(namedBy(pid).stream(), executables(pid))
                    .filter(file -> file.endsWith(program))
                    .findFirst();
        }
        return path(program)
                .flatMap(
                        file -> {
                            try {
                                return Optional.of(
                                        file.isAbsolute()
                                                ? file
                                                : directory(pid).resolve(file).normalize());
                            } catch (IOException e) {
                                return Optional.empty(); // the process has ended
                            }
                        });
    }

    private static Path directory(long pid) throws IOException {
        return Path.of("/proc", Long.toString(pid), "cwd").toRealPath();
    }

    private static Optional<Path> path(String text) {
        try {
            return Optional.of(Path.of(text));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    private static List<String> arguments(long pid) {
        Path file = Path.of("/proc", Long.toString(pid), "cmdline");
        try (InputStream in = Files.newInputStream(file)) {
            String line = new String(in.readNBytes(MAX_COMMAND_LINE), StandardCharsets.UTF_8);
            List<String> arguments = new ArrayList<>(List.of(line.split("\0")));
            return arguments.subList(0, Math.min(arguments.size(), MAX_ARGUMENTS));
        } catch (IOException e) {
            return List.of(); // it has ended, or this is not Linux
        }
    }
}
