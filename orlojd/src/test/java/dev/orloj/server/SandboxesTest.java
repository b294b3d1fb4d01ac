package dev.orloj.server;

import static dev.orloj.server.testing.ContainerNamespace.TIMEOUT;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.BorrowedContainer;
import dev.orloj.runtime.testkit.Docker;
import dev.orloj.runtime.testkit.NeedsDocker;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.ContainerNamespace;
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
import java.util.List;
import java.util.Map;

/** Containers that several servers share, and those that Orloj did not start. */
@NeedsDocker
class SandboxesTest {

    private static RunningOrlojd orlojd;

    private ContainerNamespace namespace;

    @TempDir private static Path temporary;

    private static Path shared;

    @BeforeAll
    static void start() throws IOException {
        shared = Files.createDirectory(temporary.toRealPath().resolve("shared"));
        TestPostgres.Database database = TestPostgres.freshDatabase();
        Path password = Files.createDirectory(shared.resolve("database")).resolve("password");
        Files.writeString(password, database.direct().getPassword());
        orlojd =
                RunningOrlojd.start(
                        database,
                        Map.of(
                                "orloj.containers.policy",
                                "privileged",
                                "orloj.containers.max-memory",
                                "512m",
                                "orloj.containers.mount-roots",
                                shared.toString(),
                                "orloj.database.password-file",
                                password.toString()));
    }

    @AfterAll
    static void stop() {
        orlojd.close();
    }

    @BeforeEach
    void createNamespace() {
        namespace = ContainerNamespace.create(orlojd);
    }

    private void createSandbox(String name, String... more) {
        namespace.create(
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
        namespace.create(
                "mcpservers", RunningOrlojd.stdio(name, List.of("node", "/srv/server.mjs"), more));
    }

    private String condition(String sandbox, String type) {
        return orlojd.client()
                .get(namespace.path("sandboxes", sandbox))
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
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(condition(sandbox, type)).isEqualTo(expected));
    }

    private void restart(String server) {
        String first = namespace.sessions(server).at("/0/id").asString("");
        orlojd.client().post(namespace.path("mcpservers", server, "restart"), Map.of()).expect(200);
        await().atMost(TIMEOUT)
                .untilAsserted(
                        () ->
                                assertThat(namespace.sessions(server).at("/0/id").asString(""))
                                        .isNotEmpty()
                                        .isNotEqualTo(first));
    }

    private void deleteSandbox(String name) {
        orlojd.client().delete(namespace.path("sandboxes", name)).expect(200);
    }

    @Test
    void serversShareAContainerFromTheFirstToTheLast() {
        createSandbox("box");
        awaitCondition("box", "Running", "False Idle");
        assertThat(condition("box", "Ready")).isEqualTo("True Idle");

        createServer("a", "sandbox_ref: box");
        createServer("b", "sandbox_ref: box", "env: [{name: OWN, value: mine}]");
        namespace.awaitReady("a");
        namespace.awaitReady("b");

        assertThat(namespace.containers()).hasSize(1);
        awaitCondition("box", "Running", "True Started");
        assertThat(namespace.call("a--environment", "{\"name\": \"GREETING\"}")).isEqualTo("hello");
        assertThat(namespace.call("b--environment", "{\"name\": \"OWN\"}")).isEqualTo("mine");
        assertThat(namespace.call("a--environment", "{\"name\": \"OWN\"}")).isEmpty();

        orlojd.delete(namespace.name(), "a");
        assertThat(namespace.call("b--echo", "{\"text\": \"still here\"}")).isEqualTo("still here");
        orlojd.delete(namespace.name(), "b");
        namespace.awaitNoContainers();
        awaitCondition("box", "Running", "False Idle");
    }

    @Test
    void aSandboxThatIsAlwaysOnRunsWithoutUsersAndAgainAfterItsEnd() {
        createSandbox("box", "lifecycle: always_on");
        awaitCondition("box", "Running", "True Started");
        String first = namespace.containers().getFirst();

        Docker.run("kill", first);

        namespace.awaitOtherContainerThan(first);
        deleteSandbox("box");
        namespace.awaitNoContainers();
    }

    @Test
    void theNetworkOfASandboxGoesWithIt() {
        namespace.create(
                "sandboxes",
                """
                apiVersion: orloj.dev/v1
                kind: Sandbox
                metadata: {name: box}
                spec:
                  image: orloj-test/server
                  command: cat
                  lifecycle: always_on
                """);
        awaitCondition("box", "Running", "True Started");
        assertThat(namespace.networks()).hasSize(1);

        deleteSandbox("box");

        await().atMost(TIMEOUT).until(() -> namespace.networks().isEmpty());
    }

    @Test
    void aServerOfASandboxThatIsNotThereSaysSoUntilItIs() {
        createServer("a", "sandbox_ref: box");
        assertThat(namespace.awaitCondition("a", "Accepted", "False").path("reason").asString())
                .isEqualTo("SandboxNotFound");

        createSandbox("box");

        namespace.awaitReady("a");
    }

    @Test
    void aDeletedSandboxGoesWithItsContainerAndItsServersSaySo() {
        createSandbox("box");
        createServer("a", "sandbox_ref: box");
        namespace.awaitReady("a");

        deleteSandbox("box");

        assertThat(namespace.awaitCondition("a", "Accepted", "False").path("reason").asString())
                .isEqualTo("SandboxNotFound");
        namespace.awaitNoContainers();
        await().atMost(TIMEOUT)
                .until(() -> orlojd.client().get(namespace.path("sandboxes", "box")).code() == 404);
    }

    @Test
    void limitsBeyondACeilingAreRefusedWhenTheyAreApplied() {
        RestClient.Answer answer =
                orlojd.client()
                        .post(
                                namespace.path("sandboxes"),
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
                        namespace.path("sandboxes"),
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
    void aHostFolderIsMountedInASandboxAndReported() throws IOException {
        Path workspace = Files.createDirectory(shared.resolve("workspace"));
        Files.setPosixFilePermissions(
                temporary.toRealPath(), PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(workspace.resolve("notes"), "from the host");
        createWithMount("box", workspace).expect(201);
        createServer("a", "sandbox_ref: box");
        namespace.awaitReady("a");

        assertThat(namespace.call("a--read", "{\"path\": \"/work/notes\"}"))
                .isEqualTo("done: from the host");
        assertThat(namespace.call("a--write", "{\"path\": \"/work/notes\"}")).startsWith("refused");
        await().atMost(TIMEOUT)
                .untilAsserted(
                        () ->
                                assertThat(
                                                orlojd.client()
                                                        .get(namespace.path("sandboxes", "box"))
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
    void aFolderThatHoldsThePasswordOfTheDatabaseIsRefused() {
        assertThat(createWithMount("box", shared.resolve("database")).expect(422).text())
                .contains("spec.mounts[0].host_path")
                .contains("belongs to the system or to orlojd");
    }

    @Test
    void aBorrowedContainerIsUsedAndNeverStartedNorStopped() {
        try (BorrowedContainer borrowed = new BorrowedContainer().start()) {
            createServer(
                    "a",
                    "attach: {container: " + borrowed.name() + "}",
                    "reconnect: {max_attempts: 1, backoff: 1ms}");
            namespace.awaitReady("a");
            assertThat(namespace.call("a--echo", "{\"text\": \"hi\"}")).isEqualTo("hi");

            borrowed.remove();

            await().atMost(TIMEOUT)
                    .untilAsserted(
                            () ->
                                    assertThat(
                                                    namespace
                                                            .awaitCondition("a", "Ready", "False")
                                                            .path("reason")
                                                            .asString())
                                            .isEqualTo("ContainerGone"));
            assertThat(borrowed.exists()).isFalse();
        }
    }

    @Test
    void aServerThatAllowsOneSessionMayBeInASandboxOrABorrowedContainer() {
        createSandbox("box");
        try (BorrowedContainer borrowed = new BorrowedContainer().start()) {
            createServer("a", "sandbox_ref: box", "singleton: true");
            createServer("b", "attach: {container: " + borrowed.name() + "}", "singleton: true");
            namespace.awaitReady("a");
            namespace.awaitReady("b");

            restart("a");
            restart("b");

            assertThat(namespace.call("a--echo", "{\"text\": \"one\"}")).isEqualTo("one");
            assertThat(namespace.call("b--echo", "{\"text\": \"two\"}")).isEqualTo("two");
            assertThat(borrowed.isRunning()).isTrue();
        }
    }

    @Test
    void theProgramsOfASandboxAreReportedWithItsContainer() {
        createSandbox("box");
        createServer("a", "sandbox_ref: box");
        namespace.awaitReady("a");
        String id = Docker.inspect(namespace.containers().getFirst(), "{{.Id}}");

        assertThat(namespace.sessions("a").at("/0/containerId").asString()).isEqualTo(id);
        await().atMost(TIMEOUT)
                .untilAsserted(
                        () ->
                                assertThat(namespace.pod("a-0").toString())
                                        .contains("docker://" + id));
    }

    @Test
    void whatTheMainProgramWritesIsTheLogOfTheSandbox() {
        namespace.create(
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
        String log = namespace.path("sandboxes", "box", "log");

        await().atMost(TIMEOUT)
                .untilAsserted(
                        () ->
                                assertThat(orlojd.client().get(log).expect(200).text().lines())
                                        .containsExactlyInAnyOrder("out", "err"));
        assertThat(orlojd.client().get(namespace.path("sandboxes", "none", "log")).code())
                .isEqualTo(404);
        deleteSandbox("box");
    }

    @Test
    void severalCallersShareOneSessionOfAServerThatIsAlwaysOn() {
        createSandbox("box");
        createServer("a", "sandbox_ref: box", "lifecycle: always_on");
        namespace.awaitReady("a");

        List<String> answers =
                java.util.stream.IntStream.range(0, 20)
                        .parallel()
                        .mapToObj(i -> namespace.call("a--echo", "{\"text\": \"%d\"}".formatted(i)))
                        .toList();

        assertThat(answers).hasSize(20).doesNotHaveDuplicates();
        assertThat(namespace.sessions("a")).hasSize(1);
    }
}
