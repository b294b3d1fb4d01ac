package dev.orloj.runtime.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The engine as its own command line sees it, which is the witness in the tests. */
public final class Docker {

    private Docker() {}

    /** Names of all containers of an orlojd, ended ones included. */
    public static List<String> containersOf(String replica) {
        return run(
                        "ps",
                        "--all",
                        "--format",
                        "{{.Names}}",
                        "--filter",
                        "label=orloj.dev/replica=" + replica)
                .lines()
                .toList();
    }

    /** What {@code docker inspect} says, through a template of its own language. */
    public static String inspect(String container, String template) {
        return run("inspect", "--format", template, container).strip();
    }

    public static String run(String... arguments) {
        List<String> command = new ArrayList<>(List.of("docker"));
        command.addAll(List.of(arguments));
        return runProgram(command);
    }

    public static String runProgram(List<String> command) {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new AssertionError(command + " has failed: " + output);
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
