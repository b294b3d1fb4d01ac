package dev.orloj.server.canary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.cli.Orlojctl;
import dev.orloj.cli.output.Console;
import dev.orloj.runtime.testkit.NeedsRoot;
import dev.orloj.runtime.testkit.TestAccount;
import dev.orloj.server.testing.OrlojdProcess;
import dev.orloj.server.testing.RestClient;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

import tools.jackson.databind.JsonNode;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A secret is found in no place but those where it belongs. */
@NeedsRoot
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SecretCanaryTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String SECRETS = "/api/v1/namespaces/default/secrets";
    private static final String SERVERS = RestClient.collection("default", "mcpservers") + "/";

    @TempDir static Path folder;

    private LeakingWorld world;
    private Canaries canaries;
    private RestClient client;

    @BeforeAll
    void start() throws Exception {
        world = new LeakingWorld(folder);
        canaries = world.canaries;
        client = world.client();
    }

    @AfterAll
    void stop() throws Exception {
        world.close();
    }

    private void assertClean(String what, String text) {
        assertThat(canaries.foundIn(text))
                .as(
                        () ->
                                what
                                        + ":\n"
                                        + text.lines()
                                                .filter(line -> !canaries.foundIn(line).isEmpty())
                                                .limit(5)
                                                .collect(Collectors.joining("\n")))
                .isEmpty();
    }

    /** Shows that the other tests could fail: each secret is where it is used. */
    @Test
    void theSecretsAreUsed() {
        assertThat(world.guarded.received())
                .anyMatch(
                        request ->
                                canaries.foundIn(request.headers().toString())
                                        .equals(List.of("auth", "headers")));
        assertThat(world.requested)
                .anyMatch(
                        request ->
                                canaries.foundIn(request)
                                        .equals(
                                                List.of(
                                                        "tool.auth",
                                                        "tool.headers",
                                                        "tool.query")));
        assertThat(world.ofUsers.loggedIn.received("tools/call"))
                .anyMatch(request -> isFound(request.headers(), "access_token"));
        assertThat(world.ofUsers.perUser.received("tools/call"))
                .anyMatch(request -> isFound(request.headers(), "access_token"));
        assertThat(canaries.foundIn(client.get(SECRETS).expect(200).text()))
                .contains("env", "env_from", "last-applied-configuration");
    }

    private boolean isFound(Map<String, String> headers, String kind) {
        return canaries.foundIn(headers.toString()).stream()
                .anyMatch(place -> place.startsWith(kind));
    }

    @Test
    void theLogHasNone() throws Exception {
        String log = Files.readString(OrlojdProcess.log(folder.resolve("output")));

        assertThat(log).contains("leaking");
        assertClean("the log", log);
    }

    /** Every kind but Secret: status, conditions, Events, Pods, sessions. */
    @Test
    void noResourceHasOne() {
        List<String> lists = new ArrayList<>();
        for (String group : List.of("/api/v1", "/apis/orloj.dev/v1", "/apis/events.k8s.io/v1")) {
            for (JsonNode each : client.get(group).expect(200).body().path("resources")) {
                String name = each.path("name").asString();
                if (!name.contains("/") && !name.equals("secrets")) {
                    lists.add(group + "/" + name);
                }
            }
        }

        for (String list :
                List.of("/api/v1/events", "/api/v1/pods", "/apis/orloj.dev/v1/mcpservers")) {
            assertThat(lists).contains(list);
            assertThat(client.get(list).expect(200).body().path("items")).isNotEmpty();
        }
        for (String list : lists) {
            assertClean(list, client.get(list).text());
        }
    }

    static Stream<String> otherPaths() {
        return Stream.of(
                "/metrics",
                "/version",
                "/readyz?verbose",
                "/openapi/v2",
                "/apis/orloj.dev/v1/usertokens",
                "/apis/orloj.dev/v1/encryptionkeys",
                "/apis/orloj.dev/v1/namespaces/default/calls",
                "/apis/orloj.dev/v1/auditevents?limit=1000",
                "/apis/orloj.dev/v1/auditevents/export?limit=1000",
                SERVERS + "leaking/sessions",
                SERVERS + "exchanging/sessions",
                SERVERS + "logged-in/authorization",
                SERVERS + "exit/log",
                SERVERS + "leaking/log",
                SERVERS + "from-environment/log");
    }

    @ParameterizedTest
    @MethodSource("otherPaths")
    void noOtherAnswerHasOne(String path) {
        assertClean(path, client.text(path));
    }

    @Test
    void noTraceAndNoExportedMetricHasOne() {
        await().atMost(TIMEOUT)
                .until(() -> world.exported.stream().anyMatch(each -> each.contains("tools/call")));

        world.exported.forEach(each -> assertClean("what went to the collector", each));
    }

    @Test
    void theDatabaseHasNone() throws Exception {
        StringBuilder dump = new StringBuilder();
        try (Connection connection = world.database.direct().getConnection()) {
            List<String> tables =
                    world.database
                            .jdbc()
                            .sql(
                                    "SELECT table_schema || '.' || table_name FROM"
                                            + " information_schema.tables WHERE table_type = 'BASE"
                                            + " TABLE' AND table_schema NOT IN ('pg_catalog',"
                                            + " 'information_schema')")
                            .query(String.class)
                            .list();
            assertThat(tables).contains("public.resource", "public.tool_call");
            for (String table : tables) {
                ByteArrayOutputStream copy = new ByteArrayOutputStream();
                connection
                        .unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyOut("COPY (SELECT * FROM " + table + ") TO STDOUT", copy);
                String rows = copy.toString(StandardCharsets.UTF_8);
                dump.append(rows);
                assertClean(table, rows);
            }
        }
        assertThat(dump).contains("from-environment", "Completed");
    }

    /** The files that belong to the owner alone are the place of some. */
    @Test
    void noFileOfTheDataDirectoryButThoseOfCredentialsHasOne() throws Exception {
        try (Stream<Path> files = Files.walk(world.data)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (!file.endsWith("admin.token")) {
                    assertClean(
                            file.toString(),
                            new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
                }
            }
        }
    }

    @Test
    void anotherUserOfTheMachineSeesNoneInProc() throws Exception {
        String script =
                "cat /proc/%d/cmdline && cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'"
                        .formatted(world.orlojd().pid());
        try (TestAccount stranger = TestAccount.create()) {
            String seen = stranger.as(List.of("sh", "-c", script)).output();

            assertThat(seen).contains("--database-password-file", "leaking.py");
            assertClean("/proc", seen);
        }
    }

    /** Bodies that are refused, each with a secret at the place of the fault. */
    static Stream<String> faultyBodies() {
        return Stream.of(
                "{\"metadata\": {\"name\": \"f\"}, \"data\": {\"k\": \"%s!\"}}",
                "{\"metadata\": {\"name\": \"f\"}, \"stringData\": {\"bad key\": \"%s\"}}",
                "{\"metadata\": {\"name\": \"f\"}, \"stringData\": {\"k\": {\"nested\": \"%s\"}}}",
                "{\"metadata\": {\"name\": \"f\"}, \"stringData\": \"%s\"}",
                "{\"metadata\": {\"name\": \"f\"}, \"stringData\": {\"k\": \"%s\", }",
                "{\"metadata\": {\"name\": \"f\"}, \"stringData\": {\"k\": \"%s",
                "{\"metadata\": {\"name\": \"f\"}, \"stringData\": {\"k\": %s}}",
                "{\"metadata\": {\"name\": \"f\"}, \"stringData\": {\"k\": \"a\", \"k\": \"%s\"}}",
                "{\"metadata\": {\"name\": \"f\"}, \"stringdata\": {\"k\": \"%s\"}}",
                "{\"metadata\": {\"name\": \"f\"}, \"type\": 1, \"stringData\": {\"k\": \"%s\"}}",
                "metadata: {name: f}\nstringData:\n  k: %s: x\n",
                "metadata: {name: f}\nstringData:\n  k: \"%s\n",
                "metadata: {name: f}\nstringData:\n  k: *%s\n",
                "metadata: {name: f}\nstringData:\n\tk: %s\n",
                "{\"metadata\": {\"name\": \"f\"}, \"spec\": {\"data\": {\"k\": \"%s!\"}}}",
                "{\"metadata\": {\"name\": \"f\"}, \"spec\": {\"stringData\": {\"k\": [\"%s\"]}}}",
                "{\"metadata\": {\"name\": \"f\"}, \"spec\": {\"data\": \"%s\"}}",
                "{\"metadata\": {\"name\": \"f\"}, \"spec\": {\"stringdata\": {\"k\": \"%s\"}}}");
    }

    @ParameterizedTest
    @MethodSource("faultyBodies")
    void noErrorOfAWriteHasOne(String body) throws Exception {
        String filled = body.formatted(canaries.of("faulty body"));
        String type = body.startsWith("{") ? "application/json" : "application/yaml";
        String path = body.contains("spec") ? RestClient.collection("default", "secrets") : SECRETS;

        RestClient.Answer answer =
                client.send("POST", path + "?fieldValidation=Strict", filled, type);

        assertThat(answer.code()).as(answer.text()).isBetween(400, 499);
        assertClean(body, answer.text() + answer.warnings());
        assertClean("the log", Files.readString(OrlojdProcess.log(folder.resolve("output"))));
    }

    static Stream<List<String>> faultyPatches() {
        return Stream.of(
                List.of(
                        "application/json-patch+json",
                        "[{\"op\": \"test\", \"path\": \"/type\", \"value\": \"%s\"}]"),
                List.of("application/json-patch+json", "[{\"op\": \"%s\", \"path\": \"/type\"}]"),
                List.of(
                        "application/json-patch+json",
                        "[{\"op\": \"add\", \"path\": \"/data\", \"value\": \"%s\"}]"),
                List.of("application/merge-patch+json", "{\"stringData\": {\"k\": [\"%s\"]}}"),
                List.of("application/merge-patch+json", "{\"stringData\": {\"k\": \"%s\""),
                List.of(
                        "application/apply-patch+yaml",
                        "{apiVersion: v1, kind: Secret, metadata: {name: env}, stringData: {k:"
                                + " [%s]}}"));
    }

    @ParameterizedTest
    @MethodSource("faultyPatches")
    void noErrorOfAPatchHasOne(List<String> patch) throws Exception {
        RestClient.Answer answer =
                client.send(
                        "PATCH",
                        SECRETS + "/env?fieldManager=m",
                        patch.get(1).formatted(canaries.of("faulty patch")),
                        patch.get(0));

        assertThat(answer.code()).as(answer.text()).isBetween(400, 499);
        assertClean(patch.toString(), answer.text() + answer.warnings());
        assertClean("the log", Files.readString(OrlojdProcess.log(folder.resolve("output"))));
    }

    @Test
    void anErrorOfACredentialHasNoneAndNeitherHaveLogAndAudit() throws Exception {
        String wrong = canaries.of("wrong token");
        RestClient.Answer answer =
                new RestClient(world.orlojd().url(), wrong).get(SECRETS + "?access_token=" + wrong);

        assertThat(answer.code()).isEqualTo(401);
        assertClean("the answer", answer.text());
        client.get(SECRETS + "?access_token=" + wrong + "&pretty=true");
        assertClean("the log", Files.readString(OrlojdProcess.log(folder.resolve("output"))));
        assertClean(
                "the audit log",
                client.get("/apis/orloj.dev/v1/auditevents?limit=1000").expect(200).text());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "get secrets -o yaml",
                "get secrets -o json",
                "get secrets",
                "get secret env -o jsonpath={.spec.data}",
                "get secret env -o custom-columns=V:.spec.data.value",
                "get secret applied -o yaml --show-managed-fields",
                "get all",
                "get mcpservers -o yaml",
                "get tools -o yaml",
                "describe secret env",
                "describe secret applied",
                "describe mcpserver exit",
                "describe mcpserver refuse",
                "describe mcpserver guarded",
                "describe mcpserver refusing",
                "describe mcpserver authorized",
                "describe mcpserver from-environment",
                "describe mcpserver logged-in",
                "describe mcpserver exchanging",
                "auth status logged-in",
                "describe tool declared",
                "events",
                "logs leaking",
                "logs exit --previous",
                "logs from-environment",
                "trace --last",
                "trace --last -o json",
                "audit",
                "admin keys",
                "status",
                "health",
                "token list",
                "top",
                "call declared",
                "diff -f FOLDER/secret.yaml",
                "apply -f FOLDER/secret.yaml --dry-run=server -o yaml",
                "apply -f FOLDER/faulty.yaml",
                "apply -f FOLDER/broken.yaml",
                "validate -f FOLDER/faulty.yaml",
                "validate -f FOLDER/broken.yaml",
                "check -f FOLDER/secret.yaml",
                "config view --kubeconfig KUBECONFIG"
            })
    void noCommandPrintsOne(String line) throws Exception {
        String value = canaries.of("manifest");
        Files.writeString(
                folder.resolve("secret.yaml"),
                "apiVersion: v1\nkind: Secret\nmetadata: {name: new}\nstringData: {value: %s}\n"
                        .formatted(value));
        Files.writeString(
                folder.resolve("faulty.yaml"),
                "apiVersion: v1\nkind: Secret\nmetadata: {name: f}\ndata: {value: %s!}\n"
                        .formatted(value));
        Files.writeString(
                folder.resolve("broken.yaml"),
                "apiVersion: v1\nkind: Secret\nmetadata: {name: f}\nstringData:\n  k: %s: x\n"
                        .formatted(value));

        Printed printed =
                orlojctl(
                        line.replace("FOLDER", folder.toString())
                                .replace("KUBECONFIG", world.data.resolve("kubeconfig").toString())
                                .split(" "));

        assertThat(printed.code()).as(printed.text()).isNotEqualTo(2);
        assertThat(printed.text()).isNotBlank();
        assertClean(line, printed.text());
    }

    private record Printed(int code, String text) {}

    private Printed orlojctl(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        Console console =
                new Console(
                        new ByteArrayInputStream(new byte[0]),
                        stream,
                        stream,
                        Map.of("KUBECONFIG", world.data.resolve("kubeconfig").toString()),
                        InstantSource.system());
        int code = Orlojctl.run(console, arguments);
        stream.flush();
        return new Printed(code, out.toString(StandardCharsets.UTF_8));
    }
}
