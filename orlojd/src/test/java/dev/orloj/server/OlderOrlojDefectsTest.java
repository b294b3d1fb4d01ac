package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.runtime.testkit.FakeStdioServer;
import dev.orloj.runtime.testkit.Processes;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What an older implementation of Orloj got wrong, each defect as a test of the whole server. The
 * numbers are those of the list that the project keeps of them.
 */
class OlderOrlojDefectsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final AtomicInteger NAMESPACES = new AtomicInteger();

    private static RunningOrlojd orlojd;

    @TempDir Path folder;

    private String namespace;

    @BeforeAll
    static void start() {
        orlojd = RunningOrlojd.start();
    }

    @AfterAll
    static void stop() {
        orlojd.close();
    }

    @BeforeEach
    void createNamespace() {
        namespace = "defects-" + NAMESPACES.incrementAndGet();
        orlojd.createNamespace(namespace);
    }

    private FakeStdioServer applyStdio(String name, FakeScript script, String... more) {
        FakeStdioServer fake = FakeStdioServer.in(folder, script);
        orlojd.client()
                .create(namespace, "mcpservers", RunningOrlojd.stdio(name, fake.command(), more));
        return fake;
    }

    private void applyHttp(String name, FakeHttpServer fake, String... more) {
        orlojd.client()
                .create(namespace, "mcpservers", RunningOrlojd.http(name, fake.endpoint(), more));
    }

    private RestClient.Answer call(String tool, String arguments) {
        return orlojd.client().call(namespace, tool, arguments);
    }

    private String textOf(RestClient.Answer answer) {
        return answer.expect(200).body().at("/content/0/text").asString();
    }

    @Test
    void d01ChangedToolsAreNoticedAfterTheFirstSync() {
        applyStdio("s", FakeScript.wellBehaved().tools("echo", "add_tool", "remove_tool"));
        orlojd.awaitReady(namespace, "s");

        call("s--add-tool", "{\"name\":\"newcomer\"}").expect(200);
        await().atMost(TIMEOUT).until(() -> orlojd.tools(namespace).contains("newcomer"));

        call("s--remove-tool", "{\"name\":\"echo\"}").expect(200);
        await().atMost(TIMEOUT).until(() -> !orlojd.tools(namespace).contains("echo"));
    }

    @Test
    void d02AnswersAsEventStreamsAreUnderstood() {
        try (FakeHttpServer fake = FakeHttpServer.start(FakeScript.wellBehaved().sse())) {
            applyHttp("s", fake);
            orlojd.awaitReady(namespace, "s");

            assertThat(textOf(call("s--add", "{\"a\":1,\"b\":2}"))).isEqualTo("3");
            assertThat(fake.received("tools/call").getFirst().headers().get("accept"))
                    .contains("application/json")
                    .contains("text/event-stream");
        }
    }

    @Test
    void d03RevisionIsNegotiatedSentAndTheSessionRenewedAndDeleted() {
        FakeScript script = FakeScript.wellBehaved().protocolVersion("2025-06-18").sessions();
        try (FakeHttpServer fake = FakeHttpServer.start(script)) {
            applyHttp("s", fake);
            orlojd.awaitReady(namespace, "s");
            assertThat(orlojd.server(namespace, "s").at("/status/protocolVersion").asString())
                    .isEqualTo("2025-06-18");

            fake.forgetSessions();
            assertThat(textOf(call("s--add", "{\"a\":2,\"b\":2}"))).isEqualTo("4");

            assertThat(fake.received("tools/call"))
                    .allSatisfy(
                            request ->
                                    assertThat(request.headers())
                                            .containsEntry("mcp-protocol-version", "2025-06-18"));
            orlojd.delete(namespace, "s");
            await().atMost(TIMEOUT)
                    .until(
                            () ->
                                    fake.received().stream()
                                            .anyMatch(r -> r.httpMethod().equals("DELETE")));
        }
    }

    @Test
    void d04DeletingAServerLeavesTheToolsOfItsNamesakeElsewhere() {
        String elsewhere = namespace + "-b";
        orlojd.createNamespace(elsewhere);
        FakeStdioServer fake = applyStdio("s", FakeScript.wellBehaved());
        orlojd.client().create(elsewhere, "mcpservers", RunningOrlojd.stdio("s", fake.command()));
        orlojd.awaitReady(namespace, "s");
        orlojd.awaitReady(elsewhere, "s");

        orlojd.delete(namespace, "s");

        await().atMost(TIMEOUT).until(() -> orlojd.tools(namespace).isEmpty());
        assertThat(orlojd.tools(elsewhere)).containsExactlyInAnyOrder("echo", "add", "exotic");
        assertThat(textOf(orlojd.client().call(elsewhere, "s--add", "{\"a\":1,\"b\":1}")))
                .isEqualTo("2");
    }

    @Test
    void d05ReconnectIsObeyed() {
        FakeScript script = FakeScript.wellBehaved().stderr("no licence found").exitAtStart(7);
        applyStdio("s", script, "reconnect: {max_attempts: 2, backoff: 10ms}");

        JsonNode connected = orlojd.awaitCondition(namespace, "s", "Connected", "False");

        await().atMost(TIMEOUT)
                .untilAsserted(
                        () -> {
                            JsonNode server = orlojd.server(namespace, "s");
                            assertThat(server.at("/status/phase").asString()).isEqualTo("Error");
                            assertThat(server.at("/status/lastError").asString())
                                    .contains("2 attempts")
                                    .contains("no licence found");
                        });
        assertThat(connected.path("reason").asString()).isNotEmpty();
    }

    @Test
    void d06RotatedSecretReachesTheServer() {
        createSecret("key", "first");
        applyStdio(
                "s",
                FakeScript.wellBehaved().tools("env"),
                "env: [{name: API_KEY, secretRef: key}]");
        orlojd.awaitReady(namespace, "s");
        assertThat(call("s--env", "{}").expect(200).text()).contains("first");

        orlojd.client()
                .patch(
                        RestClient.collection(namespace, "secrets") + "/key",
                        "{\"spec\":{\"stringData\":{\"value\":\"second\"}}}")
                .expect(200);

        await().atMost(TIMEOUT)
                .untilAsserted(
                        () ->
                                assertThat(call("s--env", "{}").expect(200).text())
                                        .contains("second")
                                        .doesNotContain("first"));
    }

    private void createSecret(String name, String value) {
        String data = Base64.getEncoder().encodeToString(value.getBytes());
        orlojd.client()
                .post(
                        RestClient.collection(namespace, "secrets"),
                        Map.of(
                                "apiVersion",
                                "orloj.dev/v1",
                                "kind",
                                "Secret",
                                "metadata",
                                Map.of("name", name),
                                "spec",
                                Map.of("data", Map.of("value", data))))
                .expect(201);
    }

    @Test
    void d07DeadProcessIsReplaced() {
        FakeStdioServer fake = applyStdio("s", FakeScript.wellBehaved().tools("echo", "exit"));
        orlojd.awaitReady(namespace, "s");

        assertThat(call("s--exit", "{\"code\":3}").code()).isEqualTo(503);

        await().atMost(TIMEOUT)
                .untilAsserted(() -> call("s--echo", "{\"message\":\"again\"}").expect(200));
        assertThat(Processes.withCommandLine(fake.mark())).isNotEmpty();
    }

    @Test
    void d08ManyFirstCallsStartOneProcess() throws Exception {
        FakeStdioServer fake =
                applyStdio("s", FakeScript.wellBehaved().tools("gather"), "idle_timeout: 1s");
        orlojd.awaitReady(namespace, "s");
        awaitAsleep(fake);
        long before = initialized(fake);

        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<RestClient.Answer>> answers = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                // None is answered before all are there: no session is idle in between.
                answers.add(callers.submit(() -> call("s--gather", "{\"of\":50}")));
            }
            for (Future<RestClient.Answer> answer : answers) {
                answer.get().expect(200);
            }
        }

        assertThat(initialized(fake)).isEqualTo(before + 1);
    }

    private void awaitAsleep(FakeStdioServer fake) {
        await().atMost(TIMEOUT).until(() -> Processes.withCommandLine(fake.mark()).isEmpty());
    }

    private static long initialized(FakeStdioServer fake) {
        return fake.receivedMethods().stream().filter("initialize"::equals).count();
    }

    /** Mistake 18: what the manifest declares, or nothing, and never all. */
    @ParameterizedTest
    @ValueSource(strings = {"env: [{name: GIVEN, value: by the manifest}]", ""})
    void d09ChildSeesNothingOfTheEnvironmentOfOrlojd(String env) {
        applyStdio("s", FakeScript.wellBehaved().tools("env"), env);
        orlojd.awaitReady(namespace, "s");

        JsonNode environment = call("s--env", "{}").expect(200).body().path("structuredContent");

        assertThat(environment.path("GIVEN").asString(""))
                .isEqualTo(env.isEmpty() ? "" : "by the manifest");
        assertThat(environment.propertyNames())
                .contains("PATH", "HOME")
                .doesNotContainAnyElementsOf(
                        System.getenv().keySet().stream()
                                .filter(name -> !isPassedOn(name))
                                .toList());
    }

    private static boolean isPassedOn(String name) {
        return List.of(
                                "PATH",
                                "HOME",
                                "LANG",
                                "LANGUAGE",
                                "TMPDIR",
                                "USER",
                                "LOGNAME",
                                "SHELL",
                                "TZ",
                                "PWD",
                                "SHLVL",
                                "_")
                        .contains(name)
                || name.startsWith("LC_");
    }

    /** Takes as long as its server may. */
    @Test
    @Execution(CONCURRENT)
    void d10StubbornProcessTreeIsGoneWhenItsServerIs() {
        FakeStdioServer fake =
                applyStdio(
                        "s",
                        FakeScript.wellBehaved()
                                .tools("spawn")
                                .stderr("started")
                                .ignoreEof()
                                .ignoreSigterm());
        orlojd.awaitReady(namespace, "s");
        String mark = "grandchild-of-" + namespace;
        call("s--spawn", "{\"detached\":true,\"mark\":\"" + mark + "\"}").expect(200);
        await().atMost(TIMEOUT).until(() -> !Processes.withCommandLine(mark).isEmpty());
        await().atMost(TIMEOUT).until(() -> log("s").contains("started"));

        orlojd.delete(namespace, "s");

        assertThat(Processes.withCommandLine(fake.mark())).isEmpty();
        assertThat(Processes.withCommandLine(mark)).isEmpty();
    }

    private String log(String server) {
        String path = RestClient.collection(namespace, "mcpservers") + "/" + server + "/log";
        return orlojd.client().get(path + "?tailLines=10").expect(200).text();
    }

    @Test
    void d11ServerWithoutSessionsIsNotSerialised() throws Exception {
        try (FakeHttpServer fake = FakeHttpServer.start(FakeScript.wellBehaved().tools("gather"));
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            applyHttp("s", fake);
            orlojd.awaitReady(namespace, "s");

            List<Future<RestClient.Answer>> answers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                answers.add(callers.submit(() -> call("s--gather", "{\"of\":8}")));
            }
            for (Future<RestClient.Answer> answer : answers) {
                answer.get().expect(200);
            }

            assertThat(fake.mostConcurrent()).isEqualTo(8);
        }
    }

    @Test
    void d12ToolsAndResultsKeepEverything() {
        applyStdio("s", FakeScript.wellBehaved());
        orlojd.awaitReady(namespace, "s");

        JsonNode spec =
                orlojd.client()
                        .get(RestClient.collection(namespace, "tools") + "/s--exotic")
                        .expect(200)
                        .body()
                        .path("spec");
        assertThat(spec.path("title").asString()).isEqualTo("Exotic");
        assertThat(spec.at("/annotations/auraHint").asString()).isEqualTo("violet");
        assertThat(spec.at("/output_schema/type").asString()).isEqualTo("object");
        assertThat(spec.at("/extra/execution/taskSupport").asString()).isEqualTo("optional");
        assertThat(spec.at("/icons/0/src").asString()).isEqualTo("data:,");

        JsonNode result = call("s--exotic", "{}").expect(200).body();
        assertThat(result.path("content").size()).isGreaterThan(1);
        assertThat(result.has("structuredContent")).isTrue();
        assertThat(result.has("_meta")).isTrue();
    }

    @Test
    void d13ArgumentsThatAreNoObjectAreRefused() {
        applyStdio("s", FakeScript.wellBehaved());
        orlojd.awaitReady(namespace, "s");

        for (String arguments : List.of("\"text\"", "7", "[1]", "true")) {
            RestClient.Answer answer = call("s--echo", arguments);
            assertThat(answer.code()).isIn(400, 422);
            assertThat(answer.body().path("message").asString()).contains("arguments");
        }
    }

    @Test
    void d14FailureOfAToolIsAResult() {
        applyStdio("s", FakeScript.wellBehaved().tools("fail"));
        orlojd.awaitReady(namespace, "s");

        JsonNode result = call("s--fail", "{}").expect(200).body();

        assertThat(result.path("isError").asBoolean()).isTrue();
        assertThat(result.at("/content/0/text").asString()).isEqualTo("It did not work");
    }

    /** What must never happen is that the program of an image runs on the host. */
    @Test
    void d15ImageThatCannotBeRunIsNoReasonToRunItsCommandWithoutASandbox() {
        String mark = "9" + System.nanoTime();
        orlojd.client()
                .create(
                        namespace,
                        "mcpservers",
                        """
                        apiVersion: orloj.dev/v1
                        kind: McpServer
                        metadata: {name: s}
                        spec: {transport: stdio, image: orloj-test/none, image_pull_policy: Never,
                               network: {mode: none}, command: sleep, args: ['%s']}
                        """
                                .formatted(mark));

        await().atMost(TIMEOUT)
                .until(
                        () ->
                                orlojd.server(namespace, "s")
                                        .at("/status/phase")
                                        .asString("")
                                        .equals("Error"));

        assertThat(orlojd.server(namespace, "s").at("/status/lastError").asString())
                .containsIgnoringCase("docker");
        assertThat(Processes.withCommandLine(mark)).isEmpty();
    }

    @Test
    void d16EveryReplicaServesAndOneActs() {
        FakeStdioServer fake = applyStdio("s", FakeScript.wellBehaved().tools("echo", "pid"));
        orlojd.awaitReady(namespace, "s");
        try (RunningOrlojd replica = RunningOrlojd.start(orlojd.database(), Map.of())) {
            String here = textOf(call("s--pid", "{}"));
            String there = textOf(replica.client().call(namespace, "s--pid", "{}"));
            assertThat(there).isNotEqualTo(here);
            String version =
                    orlojd.server(namespace, "s").at("/metadata/resourceVersion").asString();

            replica.client().call(namespace, "s--echo", "{}").expect(200);

            assertThat(replica.server(namespace, "s").at("/metadata/resourceVersion").asString())
                    .isEqualTo(version);
            orlojd.delete(namespace, "s");
            await().atMost(TIMEOUT).until(() -> Processes.withCommandLine(fake.mark()).isEmpty());
            // The replica receives the deletions of the server and of its Tools in any order.
            await().atMost(TIMEOUT)
                    .until(() -> replica.client().call(namespace, "s--echo", "{}").code() == 404);
        }
    }
}
