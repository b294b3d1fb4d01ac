package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeHttpServer.Answer;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Servers that answer with anything at all. Each becomes a condition, calls get an answer that is
 * no internal error, and the well-behaved one beside them never notices.
 */
class HostileServersTest {

    private static final long SEED = 20_261_120;
    private static final int ROUNDS = 12;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static final List<String> BODIES =
            List.of(
                    "",
                    "null",
                    "[]",
                    "7",
                    "<html><body>It works!</body></html>",
                    "{\"jsonrpc\":\"2.0\"}",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":[]}",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":\"no\"}",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":\"x\"}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":{}}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[7,{},{\"name\":3}]}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":5}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"1999-01-01\"}}",
                    "data: {}\n\ndata: nonsense\n\n",
                    "\u0000\u0001\uFFFD",
                    "{\"a\":".repeat(5_000));
    private static final List<String> TYPES =
            List.of("application/json", "text/event-stream", "text/html", "x", "");
    private static final List<Integer> CODES =
            List.of(200, 200, 200, 202, 204, 400, 401, 403, 404, 429, 500, 503);

    private static RunningOrlojd orlojd;

    @TempDir Path folder;

    @BeforeAll
    static void start() {
        orlojd = RunningOrlojd.start();
    }

    @AfterAll
    static void stop() {
        orlojd.close();
    }

    @Test
    void whateverHttpServersAnswerIsAConditionAndTheOthersGoOn() {
        Random random = new Random(SEED);
        try (FakeHttpServer good = FakeHttpServer.start(FakeScript.wellBehaved())) {
            create("good", RunningOrlojd.http("good", good.endpoint()));
            orlojd.awaitReady("default", "good");
            for (int round = 0; round < ROUNDS; round++) {
                try (FakeHttpServer bad = FakeHttpServer.start(FakeScript.wellBehaved())) {
                    String method =
                            List.of("initialize", "tools/list", "tools/call").get(round % 3);
                    for (int i = 0; i < 40; i++) {
                        bad.answerNext(method, randomAnswer(random));
                    }
                    String name = "bad-" + round;
                    create(
                            name,
                            RunningOrlojd.http(
                                    name,
                                    bad.endpoint(),
                                    "reconnect: {max_attempts: 1, backoff: 1ms}",
                                    "timeout: 2s"));
                    assertSettled(name);
                    for (int i = 0; i < 8; i++) {
                        assertNoInternalError(call(name + "--echo"));
                    }
                    call("good--echo").expect(200);
                    orlojd.delete("default", name);
                }
            }
        }
    }

    @Test
    void whateverChildrenPrintIsAConditionAndTheOthersGoOn() throws IOException {
        Random random = new Random(SEED);
        for (int round = 0; round < ROUNDS; round++) {
            Path output = Files.write(folder.resolve("output-" + round), noise(random));
            String name = "noisy-" + round;
            create(
                    name,
                    RunningOrlojd.stdio(
                            name,
                            List.of("sh", "-c", "cat " + output + "; cat " + output + " >&2"),
                            "reconnect: {max_attempts: 1, backoff: 1ms}"));
            assertSettled(name);
            assertThat(orlojd.server("default", name).at("/status/phase").asString())
                    .isEqualTo("Error");
            orlojd.client()
                    .get(RestClient.collection("default", "mcpservers") + "/" + name + "/log")
                    .expect(200);
            orlojd.delete("default", name);
        }
    }

    private static void create(String name, String manifest) {
        JsonNode created = orlojd.client().create("default", "mcpservers", manifest);
        assertThat(created.at("/metadata/name").asString()).isEqualTo(name);
    }

    /** Every condition has been looked at, and says why it is as it is. */
    private static void assertSettled(String name) {
        await().atMost(TIMEOUT)
                .untilAsserted(
                        () -> {
                            JsonNode status = orlojd.server("default", name).path("status");
                            assertThat(status.path("phase").asString()).isIn("Ready", "Error");
                            assertThat(status.path("conditions").valueStream())
                                    .hasSize(4)
                                    .allSatisfy(
                                            c ->
                                                    assertThat(c.path("reason").asString())
                                                            .isNotEmpty());
                        });
    }

    private static RestClient.Answer call(String tool) {
        return orlojd.client().call("default", tool, "{}");
    }

    private static void assertNoInternalError(RestClient.Answer answer) {
        assertThat(answer.code()).as("answer %s", answer.text()).isIn(200, 404, 422, 502, 503, 504);
        if (answer.code() != 200) {
            assertThat(answer.body().path("kind").asString()).isEqualTo("Status");
            assertThat(answer.text()).doesNotContain("\tat ", "Exception");
        }
    }

    private static Answer randomAnswer(Random random) {
        String body = pick(random, BODIES);
        if (random.nextInt(4) == 0 && !body.isEmpty()) {
            body = body.substring(0, random.nextInt(body.length()));
        }
        return new Answer(pick(random, CODES), Map.of("Content-Type", pick(random, TYPES)), body);
    }

    private static <T> T pick(Random random, List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    /** Lines that are nearly messages, cut and mixed with bytes that are none. */
    private static byte[] noise(Random random) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 200; i++) {
            lines.append(pick(random, BODIES)).append(random.nextBoolean() ? "\n" : "\r\n");
        }
        byte[] bytes = lines.toString().getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 2_000; i++) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return bytes;
    }
}
