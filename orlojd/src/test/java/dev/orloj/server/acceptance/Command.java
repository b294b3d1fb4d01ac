package dev.orloj.server.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a program to its end. */
final class Command {

    private Command() {}

    /**
     * Returns what the program printed to stdout; its stderr goes to that of this process.
     *
     * @throws AssertionError when it fails, or takes longer than it may
     */
    public static String run(Path folder, Duration limit, List<String> command)
            throws InterruptedException {
        return run(folder, limit, Map.of(), command);
    }

    /** Runs it with more variables in its environment. */
    public static String run(
            Path folder, Duration limit, Map<String, String> environment, List<String> command)
            throws InterruptedException {
        try {
            Path output = Files.createTempFile(folder, "output", ".txt");
            ProcessBuilder builder =
                    new ProcessBuilder(command)
                            .directory(folder.toFile())
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            process.getOutputStream().close();
            if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new AssertionError(
                        "%s took longer than %s: %s"
                                .formatted(command, limit, Files.readString(output)));
            }
            if (process.exitValue() != 0) {
                throw new AssertionError(
                        "%s ended with %d: %s"
                                .formatted(command, process.exitValue(), Files.readString(output)));
            }
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
