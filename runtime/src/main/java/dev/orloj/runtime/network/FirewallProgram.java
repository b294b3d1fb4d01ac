package dev.orloj.runtime.network;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Runs the programs of the firewall one at a time on a platform thread, because their output is
 * read from a pipe.
 */
final class FirewallProgram implements AutoCloseable {

    private static final int TIMEOUT_SECONDS = 10;

    private final ExecutorService runner =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().daemon().name("orloj-firewall").factory());

    /**
     * Runs a program and returns its output.
     *
     * @throws FirewallException when the program cannot be run, or fails
     */
    String run(List<String> command, String input) throws InterruptedException {
        Future<String> output = runner.submit(() -> execute(command, input));
        try {
            return output.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof FirewallException known) {
                throw known;
            }
            throw new FirewallException(
                    "%s cannot be run: %s".formatted(command.getFirst(), message(e)), e.getCause());
        }
    }

    private static String message(ExecutionException e) {
        return e.getCause() == null ? "" : String.valueOf(e.getCause().getMessage());
    }

    private static String execute(List<String> command, String input)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            try (OutputStream stdin = process.getOutputStream()) {
                stdin.write(input.getBytes(StandardCharsets.UTF_8));
            }
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                throw new FirewallException(command.getFirst() + " does not end", null);
            }
            if (process.exitValue() != 0) {
                throw new FirewallException(
                        "%s: %s"
                                .formatted(
                                        command.getFirst(),
                                        output.lines().findFirst().orElse("failed").strip()),
                        null);
            }
            return output;
        } finally {
            process.destroyForcibly();
        }
    }

    @Override
    public void close() {
        runner.shutdownNow();
    }
}
