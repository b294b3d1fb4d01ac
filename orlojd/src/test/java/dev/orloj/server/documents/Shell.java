package dev.orloj.server.documents;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A bash that keeps its folder and its variables from one command to the next. */
final class Shell implements AutoCloseable {

    private static final long MINUTES = 5;

    private final Process process;
    private final Path files;
    private final Writer input;
    private final BufferedReader codes;
    private int count;

    private Shell(Process process, Path files) {
        this.process = process;
        this.files = files;
        input = process.outputWriter(StandardCharsets.UTF_8);
        codes = process.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * Starts one.
     *
     * @param files an empty folder for commands and what they print
     * @param environment all of its variables
     */
    static Shell start(Path folder, Path files, Map<String, String> environment)
            throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder("bash", "--noprofile", "--norc")
                        .directory(folder.toFile())
                        .redirectError(files.resolve("shell.txt").toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        return new Shell(builder.start(), files);
    }

    /** What a command printed, to both of its outputs, and how it ended. */
    record Result(int code, String output) {}

    /** Runs a command to its end. */
    Result run(String command) throws IOException, InterruptedException {
        Path script = files.resolve("%03d.sh".formatted(++count));
        Path output = files.resolve("%03d.txt".formatted(count));
        Files.writeString(script, command + "\n");
        // The command finds the exit code of the one before in $?, as at a terminal.
        input.write(
                "(exit ${code:-0}); . '%s' >'%s' 2>&1 </dev/null; code=$?; echo $code\n"
                        .formatted(script, output));
        input.flush();
        CompletableFuture<String> code = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> readCode(code));
        try {
            return new Result(
                    Integer.parseInt(code.get(MINUTES, TimeUnit.MINUTES)),
                    Files.readString(output));
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError(
                    "the shell ended, or had no end after %d minutes, in %s, which printed:%n%s"
                            .formatted(MINUTES, command, Files.readString(output)),
                    e);
        }
    }

    private void readCode(CompletableFuture<String> code) {
        try {
            String line = codes.readLine();
            if (line == null) {
                throw new IOException("the shell ended");
            }
            code.complete(line);
        } catch (IOException e) {
            code.completeExceptionally(e);
        }
    }

    /** Whether the shell would run this, and not wait for another line. */
    static boolean isComplete(String command) {
        if (command.endsWith("\\")) {
            return false;
        }
        try {
            ProcessBuilder builder = new ProcessBuilder("bash", "-n", "-c", command);
            builder.environment().put("LC_ALL", "C");
            Process check = builder.redirectErrorStream(true).start();
            String complaint =
                    new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            check.waitFor();
            return List.of("unexpected EOF", "unexpected end of file", "by end-of-file").stream()
                    .noneMatch(complaint::contains);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Returns when it and what it started are gone. */
    @Override
    public void close() {
        List<ProcessHandle> children = process.descendants().toList();
        children.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        children.forEach(child -> child.onExit().join());
        process.onExit().join();
    }
}
