package dev.orloj.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.mcp.McpProbe.Answer;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.OrlojdProcess;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;
import dev.orloj.server.testing.TracingServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Three replicas, of which one has the only process of a server. */
@Timeout(300)
class ForwardedRequestsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final AtomicInteger NAMESPACES = new AtomicInteger();

    private static TestPostgres.Database database;
    private static RunningOrlojd first;
    private static RunningOrlojd second;
    private static RunningOrlojd third;

    @TempDir private Path folder;

    /** Each test has one of its own. */
    private final String namespace = "forwarded-" + NAMESPACES.incrementAndGet();

    private TracingServer server;
    private String manifest;

    @BeforeAll
    static void start() {
        database = TestPostgres.freshDatabase();
        first = RunningOrlojd.start(database, Map.of());
        second = RunningOrlojd.start(database, Map.of());
        third = RunningOrlojd.start(database, Map.of());
    }

    @AfterAll
    static void stop() {
        List.of(third, second, first).forEach(RunningOrlojd::close);
        database.close();
    }

    @BeforeEach
    void writeServer() throws IOException {
        server = TracingServer.in(folder);
        manifest =
                server.manifest(
                        "singleton: true",
                        "session_scope: shared",
                        "max_concurrent_calls: 2",
                        "queue_timeout: 100ms");
    }

    /** It writes into the folder that is deleted next. */
    @AfterEach
    void deleteServer() {
        String path = RestClient.collection(namespace, "mcpservers") + "/one";
        first.client().delete(path);
        await().atMost(TIMEOUT).until(() -> first.client().get(path).code() == 404);
    }

    /** Returns the process of the server, which the first replica has. */
    private String startAtTheFirst() {
        first.createNamespace(namespace);
        first.client().create(namespace, "mcpservers", manifest);
        return awaitProcess(first.client());
    }

    private RestClient.Answer call(RestClient at, String tool, String arguments) {
        return at.call(namespace, "one--" + tool, arguments);
    }

    private String awaitProcess(RestClient at) {
        RestClient.Answer answer =
                await().atMost(TIMEOUT)
                        .until(() -> call(at, "who", "{}"), found -> found.code() == 200);
        return answer.body().at("/content/0/text").asString();
    }

    private RestClient third() {
        RestClient client = third.client();
        awaitProcess(client);
        return client;
    }

    private Agent agent() {
        String endpoint = "/mcp/%s/mcpservers/one".formatted(namespace);
        return Agent.initialize(new McpProbe(URI.create(third().url() + endpoint)), "2025-11-25");
    }

    private CompletableFuture<HttpResponse<String>> begin(RestClient at, String body) {
        HttpRequest request =
                HttpRequest.newBuilder(
                                URI.create(
                                        at.url()
                                                + RestClient.collection(namespace, "tools")
                                                + "/one--slow/call"))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build();
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .build()
                .sendAsync(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void everyReplicaAnswersForTheOneProcess() {
        String process = startAtTheFirst();

        for (RunningOrlojd replica : List.of(first, second, third)) {
            assertThat(awaitProcess(replica.client())).isEqualTo(process);
        }
        Agent agent = agent();
        assertThat(agent.call("who", "{}").at("/result/content/0/text")).isEqualTo(process);
        // What it has beside its tools comes with its status, which is written after them.
        await().atMost(TIMEOUT)
                .until(() -> agent.ask("prompts/list", "{}").text().contains("\"p\""));
        assertThat(agent.ask("prompts/get", "{\"name\": \"p\"}").at("/result/description"))
                .isEqualTo(process + " p");
        assertThat(agent.ask("resources/read", "{\"uri\": \"x:y\"}").at("/result/contents/0/text"))
                .isEqualTo(process);
        assertThat(
                        agent.ask(
                                        "completion/complete",
                                        "{\"ref\": {\"type\": \"ref/prompt\", \"name\": \"p\"},"
                                            + " \"argument\": {\"name\": \"a\", \"value\": \"\"}}")
                                .at("/result/completion/values/0"))
                .isEqualTo(process);
    }

    @Test
    void outcomesAreThoseThatTheOwnerWouldGive() {
        startAtTheFirst();
        RestClient owner = first.client();
        RestClient other = third();

        for (String tool : List.of("refuse", "unknown")) {
            RestClient.Answer there = call(other, tool, "{}");
            assertThat(there.code()).isGreaterThanOrEqualTo(400);
            assertThat(there.body()).isEqualTo(call(owner, tool, "{}").body());
        }
        RestClient.Answer late =
                other.post(
                        RestClient.collection(namespace, "tools") + "/one--slow/call",
                        "{\"arguments\": {\"seconds\": 60}, \"timeout\": \"200ms\"}");
        assertThat(late.expect(504).body().path("message").asString()).contains("200 ms");
        RestClient.Answer died = call(other, "die", "{}");
        assertThat(died.expect(503).body().path("message").asString())
                .contains("the call may have been carried out");
    }

    @Test
    void progressOfTheServerReachesTheAgentElsewhere() throws Exception {
        startAtTheFirst();

        Answer answer =
                agent().ask(
                                "tools/call",
                                """
                                {"name": "slow", "arguments": {"seconds": 0.2},
                                 "_meta": {"progressToken": "mine"}}
                                """);

        assertThat(answer.messages()).hasSize(2);
        JsonNode notification = answer.messages().getFirst();
        assertThat(notification.path("method").asString()).isEqualTo("notifications/progress");
        assertThat(notification.at("/params/progressToken").asString()).isEqualTo("mine");
        assertThat(notification.at("/params/message").asString()).isEqualTo("half");
    }

    @Test
    void whatTheServerLogsReachesTheAgentElsewhere() {
        String process = startAtTheFirst();

        Answer answer = agent().call("say", "{}");

        assertThat(answer.messages()).hasSize(2);
        JsonNode log = answer.messages().getFirst();
        assertThat(log.path("method").asString()).isEqualTo("notifications/message");
        assertThat(log.at("/params/data").asString()).isEqualTo(process);
    }

    @Test
    void clientThatHangsUpElsewhereEndsTheCallAtTheServer() throws Exception {
        startAtTheFirst();

        CompletableFuture<HttpResponse<String>> call =
                begin(third(), "{\"arguments\": {\"seconds\": 60}}");
        await().atMost(TIMEOUT).until(() -> server.trace("began").size() == 1);
        call.cancel(true);

        await().atMost(TIMEOUT).until(() -> server.trace("cancelled").size() == 1);
        assertThat(server.trace("finished")).isEmpty();
    }

    @Test
    void limitsCountTheCallsOfAllReplicas() throws Exception {
        startAtTheFirst();
        awaitProcess(second.client());
        RestClient other = third();
        CompletableFuture<HttpResponse<String>> here =
                begin(first.client(), "{\"arguments\": {\"seconds\": 60}}");
        CompletableFuture<HttpResponse<String>> there =
                begin(other, "{\"arguments\": {\"seconds\": 60}}");
        await().atMost(TIMEOUT).until(() -> server.trace("began").size() == 2);

        RestClient.Answer refused = call(second.client(), "who", "{}");

        assertThat(refused.expect(429).body().at("/details/causes/0/field").asString())
                .startsWith("spec.");
        here.cancel(true);
        there.cancel(true);
    }

    @Test
    void traceContextReachesTheServerAndTheTraceNamesTheSession() throws Exception {
        startAtTheFirst();
        RestClient other = third();
        String parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

        HttpResponse<String> answer =
                HttpClient.newHttpClient()
                        .send(
                                HttpRequest.newBuilder(
                                                URI.create(
                                                        other.url()
                                                                + RestClient.collection(
                                                                        namespace, "tools")
                                                                + "/one--meta/call"))
                                        .header("traceparent", parent)
                                        .POST(HttpRequest.BodyPublishers.noBody())
                                        .build(),
                                HttpResponse.BodyHandlers.ofString());

        assertThat(answer.body()).contains(parent);
        String id = answer.headers().firstValue("Orloj-Call-Id").orElseThrow();
        JsonNode trace =
                other.get(RestClient.collection(namespace, "calls") + "/" + id).expect(200).body();
        assertThat(trace.path("session").asString()).startsWith(namespace + "/one");
        assertThat(trace.path("bytesIn").asLong()).isPositive();
        assertThat(trace.path("steps").valueStream().map(step -> step.path("phase").asString()))
                .containsExactly("check", "forwarding", "result");
    }

    @Test
    void callWhoseOwnerDiesIsNeitherHungNorMadeAgain() throws Exception {
        // Only a process can be killed, and it has to be the leader, which has the server.
        try (TestPostgres.Database own = TestPostgres.freshDatabase();
                OrlojdProcess owner =
                        OrlojdProcess.start(
                                folder.resolve("data"),
                                "--database-url",
                                RunningOrlojd.url(own.direct()),
                                "--secret-key-file",
                                RunningOrlojd.sharedKey().toString());
                RunningOrlojd other = RunningOrlojd.start(own, Map.of())) {
            other.createNamespace(namespace);
            owner.client().create(namespace, "mcpservers", manifest);
            awaitProcess(owner.client());
            awaitProcess(other.client());

            CompletableFuture<HttpResponse<String>> call =
                    begin(other.client(), "{\"arguments\": {\"seconds\": 60}}");
            await().atMost(TIMEOUT).until(() -> server.trace("began").size() == 1);
            owner.kill();

            HttpResponse<String> answer = call.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body())
                    .contains("of orlojd went away", "the call may have been carried out");
            RestClient.Answer next = call(other.client(), "who", "{}");
            assertThat(next.expect(503).body().path("message").asString())
                    .contains("takes no connection", "the call was not carried out");
            assertThat(server.trace("began")).hasSize(1);
        }
    }
}
