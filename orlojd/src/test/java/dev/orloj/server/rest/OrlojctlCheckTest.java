package dev.orloj.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.server.testing.RunningOrlojd;

import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** {@code orlojctl check} before orlojd, with servers of every fault. */
@DisplayName("issue 20, item 5 (N-12, X-13)")
class OrlojctlCheckTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String GRACE = "shutdown_grace: 1s";

    private static RunningOrlojd orlojd;

    @TempDir private Path folder;
    private CardServer card;
    private String namespace = "default";

    @BeforeAll
    static void start() {
        orlojd = RunningOrlojd.start();
    }

    @AfterAll
    static void stop() {
        orlojd.close();
    }

    @BeforeEach
    void writeServer() throws IOException {
        card = CardServer.in(folder);
    }

    private OrlojctlRun ctl(String... arguments) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 2);
        all[arguments.length] = "-n";
        all[arguments.length + 1] = namespace;
        return OrlojctlRun.of(URI.create(orlojd.client().url()).getPort(), "", all);
    }

    /** Servers that are stored would be among those that other tests are compared with. */
    private void storeElsewhere(String own) {
        orlojd.createNamespace(own);
        namespace = own;
    }

    private String manifest(String name, String... faults) throws IOException {
        return file(name, RunningOrlojd.stdio(name, card.command(faults), GRACE));
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name + ".yaml"), text).toString();
    }

    private static List<String> ids(OrlojctlRun run) {
        JsonNode items = Json.MAPPER.readTree(run.out()).path("items");
        return items.valueStream()
                .flatMap(item -> item.at("/report/findings").valueStream())
                .map(finding -> finding.path("id").asString())
                .toList();
    }

    @Test
    void healthyServerHasNoFindingsAndNothingIsStoredOrLeftRunning() throws IOException {
        OrlojctlRun run = ctl("check", "-f", manifest("healthy"));

        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains("default/healthy (")
                .contains(": no findings")
                .contains("cost an agent about")
                .endsWith("1 server checked: 0 errors, 0 warnings, 0 notes\n");
        assertThat(run.exitCode()).isZero();
        assertThat(ctl("get", "mcp").err()).contains("No resources found");
        assertThat(card.isRunning()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "noise, stdout-noise",
        "stubborn, eof-ignored",
        "schemas, schema-invalid schema-remote-ref schema-too-large",
        "names, destructive-not-annotated tool-name-invalid description-missing",
        "shuffled, list-order-unstable",
        "old, revision-old",
        "annotated, ''",
        "dead, start-failed",
    })
    void faultIsFound(String fault, String findings) throws IOException {
        OrlojctlRun run =
                ctl("check", "-o", "json", "--fail-on", "note", "-f", manifest("faulty", fault));

        assertThat(run.err()).isEmpty();
        assertThat(String.join(" ", ids(run))).isEqualTo(findings);
        assertThat(run.exitCode()).isEqualTo(findings.isEmpty() ? 0 : 5);
        assertThat(card.isRunning()).isFalse();
    }

    /** Checks see the stored resources as the controllers do, a moment after they are written. */
    private static void awaitCard(ThrowingRunnable assertion) {
        await().atMost(TIMEOUT).untilAsserted(assertion);
    }

    @Test
    void findingsAboutDefinitionsAreShownForAManifestAndForAStoredServer() throws IOException {
        storeElsewhere("poisoned");
        String manifest = manifest("poisoned", "poisoned");

        OrlojctlRun tried = ctl("check", "-f", manifest);

        assertThat(tried.out())
                .contains("error    secrecy-directive")
                .contains("/description of tool/read: The text \"Never tell the user\"");
        assertThat(tried.exitCode()).isEqualTo(5);
        assertThat(ctl("apply", "-f", manifest).exitCode()).isZero();
        assertThat(ctl("wait", "mcp/poisoned", "--for", "condition=Suspicious").exitCode())
                .isZero();

        awaitCard(
                () -> {
                    OrlojctlRun stored = ctl("check", "poisoned", "-o", "json");

                    JsonNode found = Json.MAPPER.readTree(stored.out()).at("/items/0/findings");
                    assertThat(found.path("high").asInt()).isEqualTo(1);
                    assertThat(found.at("/worst/0/id").asString()).isEqualTo("secrecy-directive");
                    assertThat(stored.exitCode()).isEqualTo(5);
                });
        assertThat(ctl("delete", "mcp", "poisoned").exitCode()).isZero();
    }

    @Test
    void manifestOfAStoredServerIsNotComparedWithTheToolsOfThisServer() throws IOException {
        storeElsewhere("again");
        String manifest = manifest("again");
        assertThat(ctl("apply", "-f", manifest).exitCode()).isZero();
        assertThat(ctl("wait", "mcp/again", "--for", "condition=Ready").exitCode()).isZero();

        String twin = manifest("twin");
        awaitCard(
                () ->
                        assertThat(ctl("check", "-f", twin).out())
                                .contains(
                                        "duplicate-tool",
                                        "The server again has a tool of this name and text"));
        assertThat(ctl("check", "-f", manifest).out()).contains(": no findings");
        assertThat(ctl("delete", "mcp", "again").exitCode()).isZero();
    }

    @Test
    void serverThatNeverAnswersIsEndedAndTheOneBesideItIsChecked() throws IOException {
        String limit = "startup_timeout: 2s";
        file("a-silent", RunningOrlojd.stdio("a-silent", card.command("silent"), limit, GRACE));
        manifest("b-healthy");

        OrlojctlRun run = ctl("check", "-f", folder.toString());

        assertThat(run.exitCode()).isEqualTo(5);
        assertThat(run.out())
                .contains("default/a-silent")
                .contains("default/b-healthy (" + folder.resolve("b-healthy.yaml") + "): no")
                .contains("start-failed");
        assertThat(card.isRunning()).isFalse();
    }

    @Test
    void serverThatNeverAnswersIsEndedByTheLimitOfTheCheck() throws IOException {
        OrlojctlRun run = ctl("check", "-f", manifest("silent", "silent"), "--timeout", "2s");

        assertThat(run.exitCode()).isEqualTo(5);
        assertThat(run.out())
                .contains("default/silent")
                .containsPattern("not-in-time|start-failed");
        assertThat(card.isRunning()).isFalse();
    }

    @Test
    void manifestIsCheckedAgainstTheHost() throws IOException {
        String file =
                file(
                        "host",
                        """
                        apiVersion: orloj.dev/v1
                        kind: McpServer
                        metadata: {name: command}
                        spec: {transport: stdio, command: no-such-program-here}
                        ---
                        apiVersion: orloj.dev/v1
                        kind: McpServer
                        metadata: {name: secret}
                        spec:
                          transport: stdio
                          command: sh
                          env: [{name: A, secretRef: nowhere/key}]
                        ---
                        apiVersion: orloj.dev/v1
                        kind: McpServer
                        metadata: {name: endpoint}
                        spec: {transport: http, endpoint: "http://127.0.0.1:9/mcp"}
                        ---
                        apiVersion: orloj.dev/v1
                        kind: McpServer
                        metadata: {name: invalid}
                        spec: {transport: stdio, comand: sh}
                        ---
                        apiVersion: orloj.dev/v1
                        kind: McpServer
                        metadata: {name: ceiling}
                        spec:
                          transport: http
                          endpoint: http://127.0.0.1:9/mcp
                          tool_limits: {max_tools: 1000000}
                        """);

        OrlojctlRun run = ctl("check", "-o", "json", "-f", file);

        assertThat(run.err()).isEmpty();
        assertThat(ids(run))
                .containsExactly(
                        "command-not-found",
                        "secret-not-found",
                        "endpoint-unreachable",
                        "manifest-invalid",
                        "unknown-field",
                        "endpoint-unreachable",
                        "ceiling-exceeded");
        assertThat(run.out()).contains("did you mean \\\"command\\\"?");
        assertThat(run.exitCode()).isEqualTo(5);
    }

    @Test
    void secretsInTheFilesResolveAndAreNotShown() throws IOException {
        String file =
                file(
                        "beside",
                        """
                        apiVersion: v1
                        kind: Secret
                        metadata: {name: mine}
                        stringData: {token: s3cr3t-value-of-it}
                        ---
                        apiVersion: orloj.dev/v1
                        kind: McpServer
                        metadata: {name: beside}
                        spec:
                          transport: stdio
                          command: sh
                          args: ['-c', 'echo "token $TOKEN is wrong" >&2; exit 3']
                          env: [{name: TOKEN, secretRef: mine/token}]
                        """);

        OrlojctlRun run = ctl("check", "-o", "json", "-f", file);

        assertThat(ids(run)).containsExactly("start-failed");
        assertThat(run.out()).doesNotContain("s3cr3t");
        assertThat(ctl("get", "secrets").out()).doesNotContain("mine");
    }

    @Test
    void sarifHasRulesAndLines() throws IOException {
        String file = file("sarif", "\n\n" + RunningOrlojd.stdio("sarif", List.of("no-such-one")));

        OrlojctlRun run = ctl("check", "-o", "sarif", "-f", file);

        JsonNode log = Json.MAPPER.readTree(run.out());
        JsonNode result = log.at("/runs/0/results/0");
        assertThat(log.path("version").asString()).isEqualTo("2.1.0");
        assertThat(result.path("ruleId").asString()).isEqualTo("command-not-found");
        assertThat(result.path("level").asString()).isEqualTo("error");
        assertThat(
                        log.at("/runs/0/tool/driver/rules")
                                .path(result.path("ruleIndex").asInt())
                                .path("id")
                                .asString())
                .isEqualTo("command-not-found");
        assertThat(result.at("/locations/0/physicalLocation/region/startLine").asInt())
                .isEqualTo(8);
        assertThat(result.at("/locations/0/physicalLocation/artifactLocation/uri").asString())
                .endsWith("sarif.yaml");
    }

    @Test
    void junitHasFailuresForWhatFailsTheCommand() throws IOException {
        String file = manifest("junit", "noise");

        assertThat(ctl("check", "-o", "junit", "-f", file).out())
                .contains("<testsuite name=\"default/junit\" tests=\"1\" failures=\"0\"")
                .contains("<system-out>warning: ");
        assertThat(ctl("check", "-o", "junit", "--fail-on", "warning", "-f", file).out())
                .contains("failures=\"1\"")
                .contains("<failure type=\"warning\" message=\"The server wrote");
    }

    @Test
    void cardOfAStoredServerFollowsTheServer() throws IOException {
        String name = "stored";
        storeElsewhere(name);
        String first =
                file(
                        name,
                        RunningOrlojd.stdio(
                                name, card.command("names", "noise"), "idle_timeout: 1s", GRACE));
        assertThat(ctl("apply", "-f", first).err()).isEmpty();
        orlojd.awaitReady(namespace, name);

        awaitCard(
                () -> {
                    OrlojctlRun run = ctl("check", name);

                    assertThat(run.exitCode()).as(run.out()).isZero();
                    assertThat(run.out()).contains("destructive-not-annotated", "stdout-noise");
                });
        assertThat(ctl("check", "--all", "--fail-on", "warning").exitCode()).isEqualTo(5);
        JsonNode report = orlojd.server(namespace, name).at("/status/report");
        assertThat(report.path("observedGeneration").asInt()).isEqualTo(1);
        assertThat(report.path("takenAt").asString()).isNotEmpty();
        assertThat(report.path("definitionTokens").asInt()).isPositive();

        String changed =
                file(
                        name,
                        RunningOrlojd.stdio(
                                name, card.command("stubborn"), "idle_timeout: 1s", GRACE));
        assertThat(ctl("apply", "-f", changed).err()).isEmpty();

        await().atMost(TIMEOUT)
                .untilAsserted(
                        () -> {
                            JsonNode next = orlojd.server(namespace, name).at("/status/report");
                            assertThat(next.path("observedGeneration").asInt()).isEqualTo(2);
                            assertThat(next.path("findings").valueStream())
                                    .extracting(f -> f.path("id").asString())
                                    .containsExactly("eof-ignored");
                        });
        orlojd.delete(namespace, name);
        await().atMost(TIMEOUT).until(() -> !card.isRunning());
    }

    @Test
    void whatIsNotStoredIsNoFinding() {
        OrlojctlRun run = ctl("check", "githup");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("\"githup\" not found");
        assertThat(ctl("check").exitCode()).isEqualTo(2);
        assertThat(ctl("check", "a", "--all").exitCode()).isEqualTo(2);
        assertThat(ctl("check", "a", "-o", "xml").exitCode()).isEqualTo(2);
    }
}
