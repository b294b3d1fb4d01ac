package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.Processes;
import dev.orloj.server.testing.OrlojdProcess;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.ScriptedServers;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** What clients and processes see of an orlojd that is asked to end. */
class ShutdownTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(120);
    private static final int SERVERS = 50;
    private static final int STUBBORN = 10;

    @TempDir Path folder;

    /**
     * H-33: the call ends when the test says so. It took a second, and on a busy machine orlojd was
     * gone before the test asked it what it says while it stops.
     */
    @Test
    void fiftyServersOfWhichTenAreStubbornAreStoppedInTimeAndCallsFinish() throws Exception {
        ScriptedServers servers = ScriptedServers.in(folder);
        Path release = folder.resolve("release");
        try (OrlojdProcess orlojd =
                OrlojdProcess.start(folder.resolve("data"), "--shutdown-call-grace", "1h")) {
            RestClient client = orlojd.client();
            for (int i = 0; i < SERVERS; i++) {
                String kind = i < STUBBORN ? "stubborn" : "healthy";
                create(client, servers, "s" + i, kind);
            }
            await().atMost(TIMEOUT).until(() -> ready(client) == SERVERS);
            CompletableFuture<RestClient.Answer> running =
                    slowCall(client, "s20", "\"until\": \"" + release + "\"");

            CompletableFuture<Integer> exit = inBackground(orlojd::stop);

            await().atMost(TIMEOUT).until(() -> client.get("/readyz").code() == 503);
            await().atMost(TIMEOUT)
                    .untilAsserted(
                            () -> {
                                RestClient.Answer late =
                                        client.call("default", "s30--echo", "{}").expect(503);
                                assertThat(late.body().path("kind").asString()).isEqualTo("Status");
                                assertThat(late.text())
                                        .contains("orlojd stops", "the call was not carried out");
                            });
            Files.createFile(release);

            assertThat(running).succeedsWithin(TIMEOUT).extracting("code").isEqualTo(200);
            // The grace of the stubborn servers would be ten times as long.
            assertThat(exit).as(this::log).succeedsWithin(TIMEOUT).isEqualTo(0);
            assertThat(Processes.withCommandLine(servers.mark())).isEmpty();
        }
    }

    /**
     * Otherwise a client that keeps its connection meets the end of it during a rolling upgrade.
     */
    @Test
    void requestsDuringTheDelayAreAnsweredAndCloseTheirConnection() throws Exception {
        try (OrlojdProcess orlojd =
                        OrlojdProcess.start(folder.resolve("data"), "--shutdown-delay", "1h");
                HttpClient http = HttpClient.newHttpClient()) {
            RestClient client = orlojd.client();
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(client.url() + "/version")).build();
            assertThat(http.send(request, BodyHandlers.ofString()).headers().map())
                    .doesNotContainKey("connection");

            CompletableFuture<Integer> exit = inBackground(orlojd::stop);

            await().atMost(TIMEOUT).until(() -> client.get("/readyz").code() == 503);
            HttpResponse<String> late = http.send(request, BodyHandlers.ofString());
            assertThat(late.statusCode()).isEqualTo(200);
            assertThat(late.headers().firstValue("connection")).hasValue("close");
            CompletableFuture<Integer> second = inBackground(orlojd::stop);
            assertThat(second).as(this::log).succeedsWithin(TIMEOUT).isEqualTo(0);
            assertThat(exit).succeedsWithin(TIMEOUT).isEqualTo(0);
        }
    }

    /** H-33: nothing but the second signal ends the wait, so no time has to be measured. */
    @Test
    void aSecondSignalEndsWhatTheFirstOneWaitsFor() throws Exception {
        ScriptedServers servers = ScriptedServers.in(folder);
        try (OrlojdProcess orlojd =
                OrlojdProcess.start(folder.resolve("data"), "--shutdown-call-grace", "1h")) {
            RestClient client = orlojd.client();
            create(client, servers, "s", "stubborn");
            await().atMost(TIMEOUT).until(() -> ready(client) == 1);
            CompletableFuture<RestClient.Answer> running =
                    slowCall(client, "s", "\"seconds\": 600");
            CompletableFuture<Integer> exit = inBackground(orlojd::stop);
            await().atMost(TIMEOUT).until(() -> client.get("/readyz").code() == 503);

            // The first signal alone would take the ten minutes of the call.
            CompletableFuture<Integer> second = inBackground(orlojd::stop);

            assertThat(second).as(this::log).succeedsWithin(TIMEOUT).isEqualTo(0);
            assertThat(exit).succeedsWithin(TIMEOUT).isEqualTo(0);
            assertThat(running).succeedsWithin(TIMEOUT).extracting("code").isEqualTo(503);
            assertThat(Processes.withCommandLine(servers.mark())).isEmpty();
        }
    }

    private static void create(
            RestClient client, ScriptedServers servers, String name, String kind) {
        client.create(
                "default",
                "mcpservers",
                servers.manifest(name, kind, "shutdown_grace: 10m", "timeout: 10m"));
    }

    /** Explains why orlojd has not ended. */
    private String log() {
        try {
            return Files.readString(OrlojdProcess.log(folder.resolve("data")));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static long ready(RestClient client) {
        return client.get(RestClient.collection("default", "mcpservers"))
                .expect(200)
                .body()
                .path("items")
                .valueStream()
                .filter(server -> server.at("/status/phase").asString("").equals("Ready"))
                .count();
    }

    /** Returns when the server has begun with it. */
    private CompletableFuture<RestClient.Answer> slowCall(
            RestClient client, String server, String end) {
        Path began = folder.resolve("began");
        String arguments = "{\"began\": \"%s\", %s}".formatted(began, end);
        CompletableFuture<RestClient.Answer> answer =
                inBackground(() -> client.call("default", server + "--slow", arguments));
        await().atMost(TIMEOUT).until(() -> Files.exists(began));
        return answer;
    }

    private interface Action<T> {
        T run() throws IOException, InterruptedException;
    }

    private static <T> CompletableFuture<T> inBackground(Action<T> action) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                result.complete(action.run());
                            } catch (Exception e) {
                                result.completeExceptionally(e);
                            }
                        });
        return result;
    }
}
