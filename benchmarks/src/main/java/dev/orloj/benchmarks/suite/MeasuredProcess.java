package dev.orloj.benchmarks.suite;

import dev.orloj.benchmarks.load.Operation;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A program that is measured. It ends with this JVM, unless this one is killed. */
public final class MeasuredProcess implements AutoCloseable {

    private static final int KEPT_LINES = 60;
    private static final Duration START_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofMillis(20);
    private static final Pattern NO_LINE = Pattern.compile("(?!)");
    private static final Duration SHUTDOWN = Duration.ofSeconds(30);

    private final Process process;
    private final Thread endWithThisJvm;
    private final CompletableFuture<String> ready = new CompletableFuture<>();
    private final long begun;
    private volatile long readyAt;
    private final Deque<String> lastLines = new ArrayDeque<>();

    private MeasuredProcess(Process process, long begun, Pattern readyLine) {
        this.process = process;
        this.begun = begun;
        this.endWithThisJvm = new Thread(process::destroy, "end-" + process.pid());
        Runtime.getRuntime().addShutdownHook(endWithThisJvm);
        Thread.ofPlatform()
                .daemon()
                .name("output-" + process.pid())
                .start(() -> readOutput(readyLine));
    }

    /** The command that starts a class of this class path in the JDK of this JVM. */
    public static List<String> command(List<String> flags, String mainClass, List<String> args) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.add("-cp");
        command.add(absoluteClassPath());
        command.add(mainClass);
        command.addAll(args);
        return command;
    }

    private static String absoluteClassPath() {
        return String.join(
                System.getProperty("path.separator"),
                Pattern.compile(System.getProperty("path.separator"), Pattern.LITERAL)
                        .splitAsStream(System.getProperty("java.class.path"))
                        .map(entry -> Path.of(entry).toAbsolutePath().toString())
                        .toList());
    }

    /**
     * Starts a process and waits until it says that it is ready.
     *
     * @param environment beside that of this process
     * @param readyLine of the output; its first group is what {@link #readyText} returns
     * @throws IllegalStateException with its last lines when it ends, or is not ready in time
     */
    public static MeasuredProcess start(
            List<String> command, Map<String, String> environment, Path folder, Pattern readyLine)
            throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        long begun = System.nanoTime();
        MeasuredProcess process = new MeasuredProcess(builder.start(), begun, readyLine);
        try {
            process.awaitReady();
            return process;
        } catch (RuntimeException | InterruptedException e) {
            process.close();
            throw e;
        }
    }

    /**
     * Starts a process that does not say when it is ready: it is asked again and again.
     *
     * @param environment beside that of this process
     * @param probe what does not throw once the process is ready
     * @throws IllegalStateException with its last lines when it is not ready in time
     */
    public static MeasuredProcess start(
            List<String> command, Map<String, String> environment, Path folder, Operation probe)
            throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        long begun = System.nanoTime();
        MeasuredProcess process = new MeasuredProcess(builder.start(), begun, NO_LINE);
        try {
            process.awaitAnswer(probe);
            return process;
        } catch (RuntimeException | InterruptedException e) {
            process.close();
            throw e;
        }
    }

    private void awaitAnswer(Operation probe) throws InterruptedException {
        while (true) {
            try {
                probe.perform();
                readyAt = System.nanoTime();
                return;
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) { // whatever keeps it from answering, it may do so later
                if (System.nanoTime() - begun > START_TIMEOUT.toNanos() || !process.isAlive()) {
                    throw notReady(e);
                }
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    private void readOutput(Pattern readyLine) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                keep(line);
                Matcher matcher = readyLine.matcher(line);
                if (matcher.find()) {
                    readyAt = System.nanoTime();
                    ready.complete(matcher.group(1));
                }
            }
            ready.completeExceptionally(new IOException("It ended"));
        } catch (IOException e) {
            ready.completeExceptionally(e);
        }
    }

    private synchronized void keep(String line) {
        lastLines.addLast(line);
        if (lastLines.size() > KEPT_LINES) {
            lastLines.removeFirst();
        }
    }

    private synchronized String output() {
        return String.join("\n", lastLines);
    }

    private void awaitReady() throws InterruptedException {
        try {
            ready.get(START_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw notReady(e);
        }
    }

    private IllegalStateException notReady(Exception cause) {
        return new IllegalStateException(
                "Process %d did not become ready within %s. Its last lines:%n%s"
                        .formatted(process.pid(), START_TIMEOUT, output()),
                cause);
    }

    /** What the line that said it was ready held. */
    public String readyText() {
        return ready.join();
    }

    /** From the start of the process to the line that said it was ready. */
    public Duration readyAfter() {
        return Duration.ofNanos(readyAt - begun);
    }

    public long pid() {
        return process.pid();
    }

    /** Processor time used so far. */
    public Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Resident memory, of this process alone. */
    public long residentBytes() {
        try {
            return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                            .filter(line -> line.startsWith("VmRSS:"))
                            .map(line -> line.replaceAll("\\D", ""))
                            .mapToLong(Long::parseLong)
                            .findFirst()
                            .orElseThrow()
                    * 1024;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Resident memory is read from /proc, which needs Linux", e);
        }
    }

    /** Memory of this process alone, with its share of the pages that others map as well. */
    public long proportionalBytes() {
        return proportionalBytes(process.toHandle());
    }

    /** The same of this process and everything that it has started. */
    public long proportionalBytesWithChildren() {
        return proportionalBytes()
                + process.descendants().mapToLong(MeasuredProcess::proportionalBytes).sum();
    }

    private static long proportionalBytes(ProcessHandle one) {
        try {
            return Files.readAllLines(Path.of("/proc/" + one.pid() + "/smaps_rollup")).stream()
                            .filter(line -> line.startsWith("Pss:"))
                            .map(line -> line.replaceAll("\\D", ""))
                            .mapToLong(Long::parseLong)
                            .sum()
                    * 1024;
        } catch (IOException e) {
            return 0; // ended meanwhile
        }
    }

    /** Asks it to end, waits, and ends it by force when it does not. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(SHUTDOWN)) {
                process.destroyForcibly().waitFor();
                throw new IllegalStateException(
                        "Process %d did not end within %s of SIGTERM. Its last lines:%n%s"
                                .formatted(process.pid(), SHUTDOWN, output()));
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } finally {
            forgetHook();
        }
    }

    private void forgetHook() {
        try {
            Runtime.getRuntime().removeShutdownHook(endWithThisJvm);
        } catch (IllegalStateException e) {
            // This JVM is ending and runs the hook itself.
        }
    }
}
