package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.Docker;
import dev.orloj.runtime.testkit.NeedsDocker;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** Containers that several servers share, and those that are somebody else's. */
@NeedsDocker
class SandboxesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final AtomicInteger NAMESPACES = new AtomicInteger();

    private static RunningOrlojd orlojd;

    private String namespace;

    @TempDir private static Path temporary;

    private static Path shared;

    @BeforeAll
    static void start() throws IOException {
        shared = Files.createDirectory(temporary.toRealPath().resolve("shared"));
        orlojd =
                RunningOrlojd.start(
                        TestPostgres.freshDatabase(),
                        Map.of(
                                "orloj.containers.policy", "privileged",
                                "orloj.containers.max-memory", "512m",
                                "orloj.containers.mount-roots", shared.toString()));
    }

    @AfterAll
    static void stop() {
        orlojd.close();
    }

    @BeforeEach
    void createNamespace() {
        namespace = "sandboxes-" + NAMESPACES.incrementAndGet();
        orlojd.createNamespace(namespace);
    }

    private void createSandbox(String name, String... more) {
        orlojd.client()
                .create(
                        namespace,
                        "sandboxes",
                        """
                        apiVersion: orloj.dev/v1
                        kind: Sandbox
                        metadata: {name: %s}
                        spec:
                          image: orloj-test/server
                          command: cat
                          network: {mode: none}
                          env: [{name: GREETING, value: hello}]
                          %s
                        """
                                .formatted(name, String.join("\n  ", more)));
    }

    private void createServer(String name, String... more) {
        orlojd.client()
                .create(
                        namespace,
                        "mcpservers",
                        RunningOrlojd.stdio(name, List.of("node", "/srv/server.mjs"), more));
    }

    private List<String> containers() {
        return Docker.run(
                        "ps",
                        "--format",
                        "{{.Names}}",
                        "--filter",
                        "label=orloj.dev/namespace=" + namespace)
                .lines()
                .toList();
    }

    private String condition(String sandbox, String type) {
        return orlojd.client()
                .get(RestClient.collection(namespace, "sandboxes") + "/" + sandbox)
                .expect(200)
                .body()
                .at("/status/conditions")
                .valueStream()
                .filter(c -> c.path("type").asString().equals(type))
                .map(c -> c.path("status").asString() + " " + c.path("reason").asString())
                .findFirst()
                .orElse("");
    }

    private void awaitCondition(String sandbox, String type, String expected) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(condition(sandbox, type)).isEqualTo(expected));
    }

    private String call(String tool, String arguments) {
        RestClient.Answer answer = orlojd.client().call(namespace, tool, arguments);
        return answer.expect(200).body().at("/content/0/text").asString();
    }

    private void restart(String server) {
        String path = RestClient.collection(namespace, "mcpservers") + "/" + server;
        String first = session(path);
        orlojd.client().post(path + "/restart", Map.of()).expect(200);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(session(path)).isNotEmpty().isNotEqualTo(first));
    }

    private String session(String server) {
        return orlojd.client()
                .get(server + "/sessions")
                .expect(200)
                .body()
                .at("/items/0/id")
                .asString("");
    }

    private void deleteSandbox(String name) {
        orlojd.client()
                .delete(RestClient.collection(namespace, "sandboxes") + "/" + name)
                .expect(200);
    }

    @Test
    void serversShareAContainerFromTheFirstToTheLast() {
        createSandbox("box");
        awaitCondition("box", "Running", "False Idle");
        assertThat(condition("box", "Ready")).isEqualTo("True Idle");

        createServer("a", "sandbox_ref: box");
        createServer("b", "sandbox_ref: box", "env: [{name: OWN, value: mine}]");
        orlojd.awaitReady(namespace, "a");
        orlojd.awaitReady(namespace, "b");

        assertThat(containers()).hasSize(1);
        awaitCondition("box", "Running", "True Started");
        assertThat(call("a--environment", "{\"name\": \"GREETING\"}")).isEqualTo("hello");
        assertThat(call("b--environment", "{\"name\": \"OWN\"}")).isEqualTo("mine");
        assertThat(call("a--environment", "{\"name\": \"OWN\"}")).isEmpty();

        orlojd.delete(namespace, "a");
        assertThat(call("b--echo", "{\"text\": \"still here\"}")).isEqualTo("still here");
        orlojd.delete(namespace, "b");
        await().atMost(PATIENCE).until(() -> containers().isEmpty());
        awaitCondition("box", "Running", "False Idle");
    }

    @Test
    void aSandboxThatIsAlwaysOnRunsWithoutUsersAndAgainAfterItsEnd() {
        createSandbox("box", "lifecycle: always_on");
        awaitCondition("box", "Running", "True Started");
        String first = containers().getFirst();

        Docker.run("kill", first);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(containers()).singleElement().isNotEqualTo(first));
        deleteSandbox("box");
        await().atMost(PATIENCE).until(() -> containers().isEmpty());
    }

    @Test
    void aServerOfASandboxThatIsNotThereSaysSoUntilItIs() {
        createServer("a", "sandbox_ref: box");
        assertThat(
                        orlojd.awaitCondition(namespace, "a", "Accepted", "False")
                                .path("reason")
                                .asString())
                .isEqualTo("SandboxNotFound");

        createSandbox("box");

        orlojd.awaitReady(namespace, "a");
    }

    @Test
    void aDeletedSandboxGoesWithItsContainerAndItsServersSaySo() {
        createSandbox("box");
        createServer("a", "sandbox_ref: box");
        orlojd.awaitReady(namespace, "a");

        deleteSandbox("box");

        assertThat(
                        orlojd.awaitCondition(namespace, "a", "Accepted", "False")
                                .path("reason")
                                .asString())
                .isEqualTo("SandboxNotFound");
        await().atMost(PATIENCE).until(() -> containers().isEmpty());
        await().atMost(PATIENCE)
                .until(
                        () ->
                                orlojd.client()
                                                .get(
                                                        RestClient.collection(
                                                                        namespace, "sandboxes")
                                                                + "/box")
                                                .code()
                                        == 404);
    }

    @Test
    void wishesBeyondACeilingAreRefusedWhenTheyAreApplied() {
        RestClient.Answer answer =
                orlojd.client()
                        .post(
                                RestClient.collection(namespace, "sandboxes"),
                                Map.of(
                                        "apiVersion",
                                        "orloj.dev/v1",
                                        "kind",
                                        "Sandbox",
                                        "metadata",
                                        Map.of("name", "greedy"),
                                        "spec",
                                        Map.of(
                                                "image",
                                                "orloj-test/server",
                                                "resources",
                                                Map.of("memory", "1g"))));

        assertThat(answer.expect(422).text())
                .contains("spec.resources.memory", "1g", "must be at most 512m");
    }

    private RestClient.Answer createWithMount(String name, Path folder) {
        return orlojd.client()
                .post(
                        RestClient.collection(namespace, "sandboxes"),
                        """
                        {"apiVersion": "orloj.dev/v1", "kind": "Sandbox",
                         "metadata": {"name": "%s"},
                         "spec": {"image": "orloj-test/server", "command": "cat",
                           "network": {"mode": "none"},
                           "mounts": [{"host_path": "%s", "mount_path": "/work"}]}}
                        """
                                .formatted(name, folder));
    }

    @Test
    void aFolderOfTheHostIsSeenByTheProgramsOfASandboxAndTold() throws IOException {
        Path workspace = Files.createDirectory(shared.resolve("workspace"));
        Files.setPosixFilePermissions(
                temporary.toRealPath(), PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(workspace.resolve("notes"), "from the host");
        createWithMount("box", workspace).expect(201);
        createServer("a", "sandbox_ref: box");
        orlojd.awaitReady(namespace, "a");

        assertThat(call("a--read", "{\"path\": \"/work/notes\"}")).isEqualTo("done: from the host");
        assertThat(call("a--write", "{\"path\": \"/work/notes\"}")).startsWith("refused");
        await().atMost(PATIENCE)
                .untilAsserted(
                        () ->
                                assertThat(
                                                orlojd.client()
                                                        .get(
                                                                RestClient.collection(
                                                                                namespace,
                                                                                "sandboxes")
                                                                        + "/box")
                                                        .body()
                                                        .at("/status/posture/relaxations/0")
                                                        .asString())
                                        .isEqualTo(
                                                "reads " + workspace + " of the host, at /work"));
    }

    @Test
    void aFolderThatIsNotSetAsideIsRefusedWhenItIsApplied() throws IOException {
        Path link = Files.createSymbolicLink(shared.resolve("etc"), Path.of("/etc"));

        assertThat(createWithMount("box", link).expect(422).text())
                .contains("spec.mounts[0].host_path", link.toString())
                .contains("is not below " + shared);
    }

    @Test
    void aBorrowedContainerIsUsedAndNeverStartedNorStopped() {
        String borrowed = "orloj-test-" + UUID.randomUUID();
        Docker.run(
                "run",
                "--detach",
                "--rm",
                "--name",
                borrowed,
                "--entrypoint",
                "sleep",
                "orloj-test/server",
                "600");
        createServer(
                "a",
                "attach: {container: " + borrowed + "}",
                "reconnect: {max_attempts: 1, backoff: 1ms}");
        orlojd.awaitReady(namespace, "a");
        assertThat(call("a--echo", "{\"text\": \"hi\"}")).isEqualTo("hi");

        Docker.run("rm", "--force", borrowed);

        await().atMost(PATIENCE)
                .untilAsserted(
                        () ->
                                assertThat(
                                                orlojd.awaitCondition(
                                                                namespace, "a", "Ready", "False")
                                                        .path("reason")
                                                        .asString())
                                        .isEqualTo("ContainerGone"));
        assertThat(Docker.run("ps", "-aq", "--filter", "name=" + borrowed)).isBlank();
    }

    @Test
    void aServerThatBearsOneSessionMayBeInASandboxOrABorrowedContainer() {
        createSandbox("box");
        String borrowed = "orloj-test-" + UUID.randomUUID();
        Docker.run(
                "run",
                "--detach",
                "--rm",
                "--name",
                borrowed,
                "--entrypoint",
                "sleep",
                "orloj-test/server",
                "600");
        createServer("a", "sandbox_ref: box", "singleton: true");
        createServer("b", "attach: {container: " + borrowed + "}", "singleton: true");
        orlojd.awaitReady(namespace, "a");
        orlojd.awaitReady(namespace, "b");

        restart("a");
        restart("b");

        assertThat(call("a--echo", "{\"text\": \"one\"}")).isEqualTo("one");
        assertThat(call("b--echo", "{\"text\": \"two\"}")).isEqualTo("two");
        assertThat(Docker.inspect(borrowed, "{{.State.Running}}")).isEqualTo("true");
        Docker.run("rm", "--force", borrowed);
    }

    @Test
    void theProgramsOfASandboxAreToldWithItsContainer() {
        createSandbox("box");
        createServer("a", "sandbox_ref: box");
        orlojd.awaitReady(namespace, "a");
        String id = Docker.inspect(containers().getFirst(), "{{.Id}}");

        assertThat(
                        orlojd.client()
                                .get(RestClient.collection(namespace, "mcpservers") + "/a/sessions")
                                .expect(200)
                                .body()
                                .at("/items/0/containerId")
                                .asString())
                .isEqualTo(id);
        await().atMost(PATIENCE)
                .untilAsserted(
                        () ->
                                assertThat(
                                                orlojd.client()
                                                        .get(
                                                                "/api/v1/namespaces/"
                                                                        + namespace
                                                                        + "/pods/a-0")
                                                        .text())
                                        .contains("docker://" + id));
    }

    @Test
    void whatTheMainProgramWritesIsTheLogOfTheSandbox() {
        orlojd.client()
                .create(
                        namespace,
                        "sandboxes",
                        """
                        apiVersion: orloj.dev/v1
                        kind: Sandbox
                        metadata: {name: box}
                        spec:
                          image: orloj-test/server
                          command: sh
                          args: [-c, "echo out; echo err >&2; cat"]
                          network: {mode: none}
                          lifecycle: always_on
                        """);
        awaitCondition("box", "Running", "True Started");
        String log = RestClient.collection(namespace, "sandboxes") + "/box/log";

        await().atMost(PATIENCE)
                .untilAsserted(
                        () ->
                                assertThat(orlojd.client().get(log).expect(200).text().lines())
                                        .containsExactlyInAnyOrder("out", "err"));
        assertThat(
                        orlojd.client()
                                .get(RestClient.collection(namespace, "sandboxes") + "/none/log")
                                .code())
                .isEqualTo(404);
        deleteSandbox("box");
    }

    @Test
    void severalCallersShareOneSessionOfAServerThatIsAlwaysOn() {
        createSandbox("box");
        createServer("a", "sandbox_ref: box", "lifecycle: always_on");
        orlojd.awaitReady(namespace, "a");

        List<String> answers =
                java.util.stream.IntStream.range(0, 20)
                        .parallel()
                        .mapToObj(i -> call("a--echo", "{\"text\": \"%d\"}".formatted(i)))
                        .toList();

        assertThat(answers).hasSize(20).doesNotHaveDuplicates();
        assertThat(
                        orlojd.client()
                                .get(RestClient.collection(namespace, "mcpservers") + "/a/sessions")
                                .expect(200)
                                .body()
                                .path("items"))
                .hasSize(1);
    }
}
