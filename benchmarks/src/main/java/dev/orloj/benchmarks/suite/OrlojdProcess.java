package dev.orloj.benchmarks.suite;

import dev.orloj.benchmarks.load.HttpConnection;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** An orlojd in a JVM of its own, and a plain HTTP client for it. */
public final class OrlojdProcess implements AutoCloseable {

    private static final String MAIN = "dev.orloj.server.Orlojd";
    private static final Pattern READY =
            Pattern.compile("orlojd is ready.*url=\"?(http://[^\\s\"]+)");
    private static final Duration STATE_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofMillis(20);

    /** The whole load comes from one user, which may otherwise send 10,000 requests a second. */
    private static final Map<String, String> MANY_REQUESTS =
            Map.of("ORLOJ_CALLER_LIMITS_MAX_REQUESTS_PER_SECOND", "1000000");

    private static final Map<String, String> JSON =
            Map.of("Accept", "application/json", "Content-Type", "application/json");

    private final MeasuredProcess process;
    private final URI url;
    private final HttpConnection connection;
    private final Map<String, String> headers;

    /**
     * @param token of its owner; empty for one that requires none
     */
    private OrlojdProcess(MeasuredProcess process, String token) {
        this.process = process;
        this.headers =
                token.isEmpty()
                        ? JSON
                        : Map.of(
                                "Accept",
                                "application/json",
                                "Content-Type",
                                "application/json",
                                "Authorization",
                                "Bearer " + token);
        this.url = URI.create(process.readyText());
        this.connection = new HttpConnection(url);
    }

    /** Starts it on the class path of this JVM; returns when it says that it is ready. */
    public static OrlojdProcess start(Workplace workplace, Path dataDir, String... more)
            throws IOException, InterruptedException {
        List<String> command = MeasuredProcess.command(workplace.jvmFlags(), MAIN, List.of());
        return start(command, Map.of(), workplace, dataDir, more);
    }

    /** Starts one that requires a token on its HTTP port, too. */
    public static OrlojdProcess startSecured(Workplace workplace, Path dataDir)
            throws IOException, InterruptedException {
        List<String> command = MeasuredProcess.command(workplace.jvmFlags(), MAIN, List.of());
        List<String> whole = new ArrayList<>(command);
        whole.addAll(List.of("--port", "0", "--https-port", "0"));
        whole.addAll(List.of("--data-dir", dataDir.toString()));
        MeasuredProcess process =
                MeasuredProcess.start(whole, MANY_REQUESTS, workplace.folder(), READY);
        String token = Files.readString(dataDir.resolve("admin.token")).strip();
        return new OrlojdProcess(process, token);
    }

    /**
     * Starts it by a command of its own; returns when it says that it is ready.
     *
     * @param environment beside that of this process
     */
    public static OrlojdProcess start(
            List<String> command,
            Map<String, String> environment,
            Workplace workplace,
            Path dataDir,
            String... more)
            throws IOException, InterruptedException {
        List<String> whole = new ArrayList<>(command);
        whole.addAll(List.of("--port", "0", "--data-dir", dataDir.toString()));
        whole.add("--insecure-allow-anonymous"); // the load has no credentials
        whole.addAll(List.of(more));
        MeasuredProcess process =
                MeasuredProcess.start(whole, environment, workplace.folder(), READY);
        return new OrlojdProcess(process, "");
    }

    public URI url() {
        return url;
    }

    public MeasuredProcess process() {
        return process;
    }

    /**
     * Creates a resource, and returns it as stored.
     *
     * @throws IllegalStateException with the answer when it is refused
     */
    public String create(String collectionPath, String json) throws IOException {
        HttpConnection.Answer answer =
                connection.exchange(
                        connection.request(
                                "POST",
                                collectionPath,
                                headers,
                                json.getBytes(StandardCharsets.UTF_8)));
        if (answer.status() != 201) {
            throw new IllegalStateException(
                    "POST %s: %d %s".formatted(collectionPath, answer.status(), answer.text()));
        }
        return answer.text();
    }

    public HttpConnection.Answer get(String path) throws IOException {
        return connection.exchange(connection.request("GET", path, headers, new byte[0]));
    }

    /**
     * Deletes a resource.
     *
     * @throws IllegalStateException with the answer when it is refused
     */
    public void delete(String path) throws IOException {
        HttpConnection.Answer answer =
                connection.exchange(connection.request("DELETE", path, headers, new byte[0]));
        if (answer.status() != 200) {
            throw new IllegalStateException(
                    "DELETE %s: %d %s".formatted(path, answer.status(), answer.text()));
        }
    }

    /**
     * Asks again and again until the answer is as wanted.
     *
     * @throws IllegalStateException with the last answer when that takes too long
     */
    public void await(String path, Predicate<String> wanted) throws IOException {
        long giveUp = System.nanoTime() + STATE_TIMEOUT.toNanos();
        HttpConnection.Answer answer = get(path);
        while (answer.status() != 200 || !wanted.test(answer.text())) {
            if (System.nanoTime() - giveUp > 0) {
                throw new IllegalStateException(
                        "GET %s is not as expected within %s: %d %s"
                                .formatted(path, STATE_TIMEOUT, answer.status(), answer.text()));
            }
            LockSupport.parkNanos(POLL.toNanos());
            answer = get(path);
        }
    }

    @Override
    public void close() {
        connection.close();
        process.close();
    }
}
