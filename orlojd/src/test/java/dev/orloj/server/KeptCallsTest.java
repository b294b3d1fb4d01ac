package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.OrlojdProcess;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;
import dev.orloj.server.testing.TracingServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Calls that no client waits for, that have a key, or that report event by event, at two replicas.
 */
@Timeout(300)
class KeptCallsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String NOW = "{}";
    private static final String SOON = "{\"arguments\": {\"seconds\": 0.2}}";
    private static final String MUCH_LATER = "{\"arguments\": {\"seconds\": 120}}";
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir private Path folder;

    private static final AtomicInteger NAMESPACES = new AtomicInteger();

    private static TestPostgres.Database database;
    private static RunningOrlojd one;
    private static RunningOrlojd two;

    /** Each test has one of its own. */
    private final String namespace = "kept-" + NAMESPACES.incrementAndGet();

    private TracingServer server;

    @BeforeAll
    static void start() throws Exception {
        database = TestPostgres.freshDatabase();
        one = RunningOrlojd.start(database, Map.of());
        two = RunningOrlojd.start(database, Map.of());
    }

    @BeforeEach
    void serve() throws Exception {
        server = TracingServer.in(folder);
        one.client()
                .post(
                        "/api/v1/namespaces",
                        "{\"apiVersion\": \"v1\", \"kind\": \"Namespace\", \"metadata\":"
                                + " {\"name\": \"%s\"}}".formatted(namespace))
                .expect(201);
        one.client().create(namespace, "mcpservers", server.manifest());
        for (RunningOrlojd replica : List.of(one, two)) {
            await().atMost(TIMEOUT)
                    .until(() -> replica.client().call(namespace, "one--who", "{}").code() == 200);
        }
    }

    @AfterAll
    static void stop() {
        one.close();
        two.close();
        database.close();
    }

    private HttpRequest request(RestClient at, String tool, String body, String... headers) {
        return HttpRequest.newBuilder(
                        URI.create(
                                at.url()
                                        + RestClient.collection(namespace, "tools")
                                        + "/one--%s/call".formatted(tool)))
                .header("Content-Type", "application/json")
                .headers(headers)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    private HttpResponse<String> call(RestClient at, String tool, String body, String... headers)
            throws Exception {
        return HTTP.send(request(at, tool, body, headers), HttpResponse.BodyHandlers.ofString());
    }

    private String begin(RestClient at, String tool, String body, String... headers)
            throws Exception {
        String[] all = new String[headers.length + 2];
        System.arraycopy(headers, 0, all, 2, headers.length);
        all[0] = "Prefer";
        all[1] = "respond-async";
        HttpResponse<String> answer = call(at, tool, body, all);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        assertThat(answer.headers().firstValue("Preference-Applied")).contains("respond-async");
        return answer.headers().firstValue("Location").orElseThrow();
    }

    private static JsonNode awaitEnd(RestClient at, String location) {
        await().atMost(TIMEOUT)
                .until(() -> !state(at.get(location).expect(200).body()).equals("Running"));
        return at.get(location).expect(200).body();
    }

    private static String state(JsonNode call) {
        return call.path("state").asString();
    }

    private static List<String> events(String stream) {
        return stream.lines().filter(line -> !line.isEmpty()).toList();
    }

    @Test
    void detachedCallCanBeReadOnEveryReplica() throws Exception {
        String location = begin(one.client(), "slow", SOON);

        JsonNode call = awaitEnd(two.client(), location);

        assertThat(state(call)).isEqualTo("Completed");
        assertThat(call.at("/result/content/0/text").asString())
                .isEqualTo(server.trace("finished").getFirst());
        assertThat(call.path("kind").asString()).isEqualTo("ToolCall");
        assertThat(location).endsWith("/" + call.at("/metadata/name").asString());
    }

    @Test
    void failureIsKeptLikeAResult() throws Exception {
        JsonNode call = awaitEnd(two.client(), begin(one.client(), "refuse", NOW));

        assertThat(state(call)).isEqualTo("Failed");
        assertThat(call.at("/error/code").asInt()).isEqualTo(502);
        assertThat(call.at("/error/message").asString()).contains("not today");
    }

    @Test
    void callIsCancelledAtWhateverReplica() throws Exception {
        String location = begin(one.client(), "slow", MUCH_LATER);
        await().atMost(TIMEOUT).until(() -> server.trace("began").size() == 1);

        two.client().delete(location).expect(202);

        assertThat(state(awaitEnd(one.client(), location))).isEqualTo("Cancelled");
        await().atMost(TIMEOUT).until(() -> server.trace("cancelled").size() == 1);
        two.client().delete(location).expect(200);
        one.client().get(location).expect(404);
    }

    @Test
    void callWithAKeyIsMadeOnce() throws Exception {
        String[] key = {"Idempotency-Key", "k-1"};

        HttpResponse<String> first = call(one.client(), "slow", SOON, key);
        HttpResponse<String> again = call(two.client(), "slow", SOON, key);

        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(begin(two.client(), "slow", SOON, key))
                .endsWith("/" + first.headers().firstValue("Orloj-Call-Id").orElseThrow());
        assertThat(server.trace("began")).hasSize(1);
    }

    @Test
    void callerWhoHungUpGetsTheAnswerWithTheKey() throws Exception {
        String[] key = {"Idempotency-Key", "k-2"};
        CompletableFuture<HttpResponse<String>> lost =
                HTTP.sendAsync(
                        request(one.client(), "slow", SOON, key),
                        HttpResponse.BodyHandlers.ofString());
        await().atMost(TIMEOUT).until(() -> server.trace("began").size() == 1);
        lost.cancel(true);

        HttpResponse<String> answer = call(two.client(), "slow", SOON, key);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(server.trace("cancelled")).isEmpty();
        assertThat(server.trace("began")).hasSize(1);
    }

    @Test
    void keyOfAnotherCallIsRefusedByName() throws Exception {
        call(one.client(), "slow", SOON, "Idempotency-Key", "k-3");

        HttpResponse<String> other =
                call(two.client(), "slow", MUCH_LATER, "Idempotency-Key", "k-3");

        assertThat(other.statusCode()).isEqualTo(422);
        assertThat(other.body()).contains("\\\"k-3\\\" was used for another call");
        assertThat(call(two.client(), "who", NOW, "Idempotency-Key", "k-3").statusCode())
                .as("another tool")
                .isEqualTo(200);
        assertThat(call(two.client(), "who", NOW, "Idempotency-Key", "a b").statusCode())
                .isEqualTo(400);
    }

    @Test
    void keyOfACallThatWasNotMadeIsGoodForAnotherTry() throws Exception {
        String path = RestClient.collection(namespace, "mcpservers") + "/one";
        one.client().patch(path, "{\"spec\": {\"suspend\": true}}").expect(200);
        await().atMost(TIMEOUT)
                .until(() -> one.client().call(namespace, "one--who", "{}").code() == 422);
        assertThat(call(one.client(), "who", NOW, "Idempotency-Key", "k-4").statusCode())
                .isEqualTo(422);

        one.client().patch(path, "{\"spec\": {\"suspend\": false}}").expect(200);

        await().atMost(TIMEOUT)
                .until(
                        () ->
                                call(one.client(), "who", NOW, "Idempotency-Key", "k-4")
                                                .statusCode()
                                        == 200);
    }

    @Test
    void progressIsReportedBeforeTheResult() throws Exception {
        HttpResponse<String> answer =
                call(one.client(), "slow", SOON, "Accept", "text/event-stream");

        assertThat(answer.headers().firstValue("Content-Type").orElseThrow())
                .startsWith("text/event-stream");
        List<String> lines = events(answer.body());
        assertThat(lines).hasSize(4);
        assertThat(lines.get(0)).isEqualTo("event: progress");
        assertThat(Json.MAPPER.readTree(lines.get(1).substring("data: ".length())))
                .isEqualTo(Json.MAPPER.readTree("{\"progress\": 1, \"message\": \"half\"}"));
        assertThat(lines.get(2)).isEqualTo("event: result");
        assertThat(lines.get(3)).contains(server.trace("finished").getFirst());
    }

    @Test
    void streamEndsWithTheErrorThatADocumentWouldBe() throws Exception {
        HttpResponse<String> stream =
                call(one.client(), "refuse", NOW, "Accept", "text/event-stream");
        HttpResponse<String> document = call(one.client(), "refuse", NOW, "Accept", "*/*");

        List<String> lines = events(stream.body());
        assertThat(lines.get(0)).isEqualTo("event: error");
        assertThat(Json.MAPPER.readTree(lines.get(1).substring("data: ".length())))
                .isEqualTo(Json.MAPPER.readTree(document.body()));
    }

    @Test
    void clientThatLeavesItsStreamEndsTheCall() throws Exception {
        CompletableFuture<HttpResponse<String>> stream =
                HTTP.sendAsync(
                        request(one.client(), "slow", MUCH_LATER, "Accept", "text/event-stream"),
                        HttpResponse.BodyHandlers.ofString());
        await().atMost(TIMEOUT).until(() -> server.trace("began").size() == 1);

        stream.cancel(true);

        await().atMost(TIMEOUT).until(() -> server.trace("cancelled").size() == 1);
    }

    @Test
    void callOfAReplicaThatDiesHasFailedAndIsNotMadeAgain() throws Exception {
        String[] options = {
            "--database-url",
            RunningOrlojd.url(database.direct()),
            "--secret-key-file",
            RunningOrlojd.sharedKey().toString()
        };
        String[] key = {"Idempotency-Key", "k-5"};
        String location;
        try (OrlojdProcess third = OrlojdProcess.start(folder.resolve("data"), options)) {
            location = begin(third.client(), "slow", MUCH_LATER, key);
            await().atMost(TIMEOUT).until(() -> server.trace("began").size() == 1);
            third.kill();
        }
        assertThat(state(one.client().get(location).expect(200).body())).isEqualTo("Running");

        try (OrlojdProcess again = OrlojdProcess.start(folder.resolve("data"), options)) {
            JsonNode call = awaitEnd(again.client(), location);

            assertThat(state(call)).isEqualTo("Failed");
            assertThat(call.at("/error/message").asString())
                    .contains("ended in the middle of it", "may have been carried out");
            assertThat(call(again.client(), "slow", MUCH_LATER, key).statusCode()).isEqualTo(503);
            assertThat(server.trace("began")).hasSize(1);
        }
    }

    @Test
    void answersAreSealedAndForgotten() throws Exception {
        String location = begin(two.client(), "who", NOW);
        String process = awaitEnd(two.client(), location).at("/result/content/0/text").asString();
        assertThat(process).hasSize(16);

        assertThat(
                        database.jdbc()
                                .sql("SELECT answer FROM tool_call WHERE namespace = ?")
                                .param(namespace)
                                .query(String.class)
                                .single())
                .doesNotContain(process);
        // Only now something can be forgotten: no call of the other tests races with it.
        try (RunningOrlojd forgetful =
                RunningOrlojd.start(database, Map.of("orloj.calls.kept", "1s"))) {
            await().atMost(TIMEOUT).until(() -> forgetful.client().get(location).code() == 404);
        }
        assertThat(two.client().get(location).code()).isEqualTo(404);
    }
}
