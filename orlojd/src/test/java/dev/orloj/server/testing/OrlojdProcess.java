package dev.orloj.server.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An orlojd in a JVM of its own, which can be killed. Its output is kept in a file. */
public final class OrlojdProcess implements AutoCloseable {

    private static final Pattern READY = Pattern.compile("orlojd is ready url=\"([^\"]+)\"");
    private static final int START_SECONDS = 120;

    /** Where it and its children put temporary files, below its data directory. */
    public static final String TEMPORARY = "tmp";

    private static final Duration END = Duration.ofSeconds(30);

    private final Process process;
    private final Thread copying;
    private final String url;
    private final String token;
    private final Set<ProcessHandle> children = new HashSet<>();

    private OrlojdProcess(Process process, Thread copying, String url, String token) {
        this.token = token;
        this.process = process;
        this.copying = copying;
        this.url = url;
    }

    /**
     * Starts one on a free port and waits until it is ready. Without {@code --https-port} it asks
     * for no token.
     */
    public static OrlojdProcess start(Path dataDir, String... options)
            throws IOException, InterruptedException {
        return start(List.of(), Map.of(), dataDir, options);
    }

    /** As above, with further options of its JVM. */
    public static OrlojdProcess startWith(List<String> jvmOptions, Path dataDir, String... options)
            throws IOException, InterruptedException {
        return start(jvmOptions, Map.of(), dataDir, options);
    }

    /** As above, with further variables in its environment. */
    public static OrlojdProcess start(
            Path dataDir, Map<String, String> environment, String... options)
            throws IOException, InterruptedException {
        return start(List.of(), environment, dataDir, options);
    }

    /** As above, with further options of its JVM and variables in its environment. */
    public static OrlojdProcess start(
            List<String> jvmOptions,
            Map<String, String> environment,
            Path dataDir,
            String... options)
            throws IOException, InterruptedException {
        return start(SharedClasses.ofThisRun(), jvmOptions, environment, dataDir, options);
    }

    static OrlojdProcess start(
            SharedClasses classes,
            List<String> jvmOptions,
            Map<String, String> environment,
            Path dataDir,
            String... options)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(classes.options());
        command.addAll(jvmOptions);
        Path temporary = Files.createDirectories(dataDir.resolve(TEMPORARY));
        command.add("-Djava.io.tmpdir=" + temporary);
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", classes.classPath()));
        command.add("dev.orloj.server.Orlojd");
        List<String> given = List.of(options);
        if (!given.contains("--port")) {
            command.addAll(List.of("--port", "0"));
        }
        if (!given.contains("--data-dir")) {
            command.addAll(List.of("--data-dir", dataDir.toString()));
        }
        if (!given.contains("--https-port") && !given.contains("--host")) {
            command.add("--insecure-allow-anonymous");
        }
        command.addAll(given);
        SharedPrograms.linkInto(dataDir);
        Path log = log(dataDir);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("TMPDIR", temporary.toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        CompletableFuture<String> ready = new CompletableFuture<>();
        Thread copying = Thread.ofPlatform().daemon().start(() -> copy(process, log, ready));
        try {
            String url = ready.get(START_SECONDS, TimeUnit.SECONDS);
            SharedPrograms.keep(dataDir);
            return new OrlojdProcess(process, copying, url, token(dataDir));
        } catch (ExecutionException | TimeoutException e) {
            new OrlojdProcess(process, copying, "", "").close();
            throw new IOException("orlojd did not start: " + Files.readString(log), e);
        }
    }

    private static String token(Path dataDir) throws IOException {
        Path file = dataDir.resolve("admin.token");
        return Files.exists(file) ? Files.readString(file).strip() : "";
    }

    private static void copy(Process process, Path log, CompletableFuture<String> ready) {
        try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8);
                var out = Files.newBufferedWriter(log)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.write(line);
                out.newLine();
                out.flush();
                Matcher matcher = READY.matcher(line);
                if (matcher.find()) {
                    ready.complete(matcher.group(1));
                }
            }
            ready.completeExceptionally(new IOException("it ended"));
        } catch (IOException e) {
            ready.completeExceptionally(e);
        }
    }

    /** Where its output is kept. */
    public static Path log(Path dataDir) {
        return dataDir.resolve("orlojd.log");
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public String url() {
        return url;
    }

    /** Its owner, who has a token if it asks for one. */
    public RestClient client() {
        return new RestClient(url, token);
    }

    public long pid() {
        return process.pid();
    }

    /**
     * SIGKILL: nothing is cleaned up. Returns when the process is gone, its children may remain.
     */
    public void kill() throws InterruptedException {
        process.descendants().forEach(children::add);
        process.destroyForcibly().waitFor();
    }

    /** SIGTERM; returns the exit code. */
    public int stop() throws InterruptedException {
        process.destroy();
        return process.waitFor();
    }

    /**
     * Kills it, and returns when its children have ended too: PostgreSQL stops by itself when
     * orlojd is gone and writes until then, in a folder that the test deletes next.
     */
    @Override
    public void close() throws InterruptedException {
        kill();
        children.forEach(OrlojdProcess::awaitEnd);
        copying.join(END);
    }

    private static void awaitEnd(ProcessHandle child) {
        try {
            child.onExit().get(END.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            child.destroyForcibly();
            child.onExit().join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
