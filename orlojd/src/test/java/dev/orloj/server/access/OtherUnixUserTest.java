package dev.orloj.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.testkit.NeedsRoot;
import dev.orloj.runtime.testkit.TestAccount;
import dev.orloj.server.testing.OrlojdProcess;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.util.FileSystemUtils;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What another user of the machine can do to an orlojd of root: one whose programs orlojd runs
 * ({@code --process-user}), and one that has nothing to do with it. The data directory is where
 * everybody can get to, so that only its own permissions protect it.
 */
@NeedsRoot
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OtherUnixUserTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final List<String> VARIABLES =
            List.of(
                    "ORLOJ_SECRET_CANARY",
                    "CREDENTIALS_DIRECTORY",
                    "SSH_AUTH_SOCK",
                    "DBUS_SESSION_BUS_ADDRESS");

    private Path folder;
    private Path program;
    private Path targets;
    private TestAccount usual;
    private TestAccount web;
    private TestAccount stranger;
    private OrlojdProcess orlojd;
    private RestClient client;

    @BeforeAll
    void start() throws Exception {
        folder = Files.createTempDirectory(Path.of("/var/tmp"), "orloj-users-");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        program = folder.resolve("prying.py");
        try (InputStream script = getClass().getResourceAsStream("prying.py")) {
            Files.copy(Objects.requireNonNull(script), program);
        }
        usual = TestAccount.create();
        web = TestAccount.create();
        stranger = TestAccount.create();
        Path data = folder.resolve("data");
        orlojd =
                OrlojdProcess.start(
                        folder.resolve("output"),
                        Map.of(
                                "ORLOJ_SECRET_CANARY", "canary",
                                "CREDENTIALS_DIRECTORY", data.toString(),
                                "SSH_AUTH_SOCK", "/run/canary"),
                        "--data-dir",
                        data.toString(),
                        "--https-port",
                        "0",
                        "--https-host",
                        "127.0.0.1",
                        "--process-user",
                        usual.name(),
                        "--process-user",
                        "web=" + web.name());
        client =
                new RestClient(orlojd.url(), Files.readString(data.resolve("admin.token")).strip());
        client.post(
                        "/api/v1/namespaces",
                        "{\"apiVersion\": \"v1\", \"kind\": \"Namespace\", \"metadata\": {\"name\":"
                                + " \"web\"}}")
                .expect(201);
        for (String namespace : List.of("default", "web")) {
            client.create(
                    namespace,
                    "mcpservers",
                    RunningOrlojd.stdio("prying", List.of("python3", program.toString())));
        }
        await().atMost(TIMEOUT).until(() -> pid("default") > 0 && pid("web") > 0);
        targets = targets(data);
    }

    @AfterAll
    void stop() throws Exception {
        orlojd.close();
        for (TestAccount account : List.of(usual, web, stranger)) {
            account.close();
        }
        FileSystemUtils.deleteRecursively(folder);
    }

    private JsonNode session(String namespace) {
        return client.get(
                        "/apis/orloj.dev/v1/namespaces/%s/mcpservers/prying/sessions"
                                .formatted(namespace))
                .expect(200)
                .body()
                .at("/items/0");
    }

    private long pid(String namespace) {
        return session(namespace).path("pid").asLong(0);
    }

    /** What a server of the namespace "web" must not reach. */
    private Path targets(Path data) throws IOException {
        ObjectNode wanted = Json.MAPPER.createObjectNode();
        ArrayNode files = wanted.putArray("files");
        ArrayNode folders = wanted.putArray("folders");
        try (Stream<Path> all = Files.walk(data)) {
            all.forEach(path -> (Files.isDirectory(path) ? folders : files).add(path.toString()));
        }
        Path secret = Files.writeString(usual.home().resolve("secret"), "of the other server");
        files.add(secret.toString());
        folders.add(usual.home().toString());
        folders.add(usual.home().resolve(".cache").toString());
        wanted.putArray("pids").add(orlojd.pid()).add(pid("default"));
        wanted.putArray("sockets").add("/var/run/docker.sock");
        wanted.put(
                "postgres", Integer.parseInt(Files.readAllLines(postmaster(data)).get(3).strip()));
        ArrayNode requests = wanted.putArray("requests");
        request(requests, "GET", "/api/v1/namespaces/default/secrets");
        request(requests, "GET", "/metrics");
        request(requests, "POST", "/apis/orloj.dev/v1/namespaces/default/mcpservers");
        request(requests, "POST", "/mcp");
        request(requests, "POST", "/internal/replicas/calls");
        VARIABLES.forEach(wanted.putArray("variables")::add);
        return Files.writeString(folder.resolve("targets.json"), wanted.toString());
    }

    private static Path postmaster(Path data) throws IOException {
        try (Stream<Path> all = Files.walk(data)) {
            return all.filter(path -> path.endsWith("postmaster.pid")).findFirst().orElseThrow();
        }
    }

    private void request(ArrayNode requests, String method, String path) {
        requests.addArray().add(method).add(orlojd.url() + path);
    }

    /** Shows that the tests below could fail: root reaches what is attempted there. */
    @Test
    void rootReachesWhatTheOthersAttempt() throws Exception {
        Process root =
                new ProcessBuilder("python3", program.toString(), targets.toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        JsonNode found = Json.MAPPER.readTree(root.getInputStream());

        assertThat(root.waitFor()).isZero();
        List<String> worked = worked(found);
        assertThat(worked)
                .contains(
                        "read " + folder.resolve("data/kubeconfig"),
                        "read " + folder.resolve("data/admin.token"),
                        "read " + folder.resolve("data/secret.key"),
                        "read " + folder.resolve("data/tls/client-ca.key"),
                        "read " + usual.home().resolve("secret"),
                        "read environ of " + orlojd.pid(),
                        "list fd of " + pid("default"),
                        "signal " + orlojd.pid(),
                        "become root")
                .anyMatch(each -> each.startsWith("read " + folder.resolve("data/postgres")));
    }

    @Test
    void aServerReachesNothingOfOrlojdAndOfOtherServers() throws Exception {
        await().atMost(TIMEOUT)
                .until(
                        () ->
                                client.get("/apis/orloj.dev/v1/namespaces/web/tools/prying--pry")
                                                .code()
                                        == 200);
        JsonNode answer =
                client.call("web", "prying--pry", "{\"targets\": \"%s\"}".formatted(targets))
                        .expect(200)
                        .body();
        JsonNode found =
                Json.MAPPER.readTree(answer.findValue("content").path(0).path("text").asString());

        assertThat(worked(found)).isEmpty();
        assertThat(found.path("privileges")).isEmpty();
        assertThat(found.path("uid").asInt()).isEqualTo(web.uid());
        assertThat(found.path("umask").asString()).isEqualTo("0077");
        assertThat(found.path("home").asString()).isEqualTo(web.home().toString());
    }

    /** Over the file system, /proc, signals, sockets, HTTP and the port of PostgreSQL. */
    @Test
    void anotherUserOfTheMachineReachesNothing() throws Exception {
        TestAccount.Result result =
                stranger.as(List.of("python3", program.toString(), targets.toString()));

        assertThat(result.code()).as(result.output()).isZero();
        assertThat(worked(Json.MAPPER.readTree(result.output()))).isEmpty();
    }

    @Test
    void anotherUserCannotLookAroundWithItsUsualPrograms() throws Exception {
        Path data = folder.resolve("data");

        assertThat(stranger.as(List.of("ls", data.toString())).output())
                .contains("Permission denied");
        assertThat(stranger.as(List.of("cat", data.resolve("kubeconfig").toString())).output())
                .contains("Permission denied");
        assertThat(
                        stranger.as(
                                        List.of(
                                                "curl",
                                                "-sS",
                                                "-o",
                                                "/dev/null",
                                                "-w",
                                                "%{http_code}",
                                                orlojd.url() + "/apis/orloj.dev/v1/mcpservers"))
                                .output())
                .isEqualTo("401");
        String port =
                String.valueOf(Json.MAPPER.readTree(targets.toFile()).path("postgres").asInt());
        assertThat(
                        stranger.as(
                                        List.of(
                                                "psql",
                                                "-w",
                                                "-h",
                                                "127.0.0.1",
                                                "-p",
                                                port,
                                                "-U",
                                                "orloj",
                                                "-d",
                                                "postgres",
                                                "-c",
                                                "SELECT 1"))
                                .output())
                .contains("no password supplied");
        assertThat(stranger.as(List.of("kill", String.valueOf(orlojd.pid()))).code()).isNotZero();
        assertThat(orlojd.isAlive()).isTrue();
    }

    @Test
    void sessionsAndPodsShowTheUser() {
        assertThat(session("default").path("user").asString()).isEqualTo(usual.name());
        assertThat(session("web").path("user").asString()).isEqualTo(web.name());
        await().atMost(TIMEOUT)
                .untilAsserted(
                        () -> {
                            JsonNode pod =
                                    client.get("/api/v1/namespaces/web/pods").body().at("/items/0");
                            assertThat(pod.at("/spec/securityContext/runAsUser").asInt())
                                    .isEqualTo(web.uid());
                            assertThat(pod.at("/metadata/annotations/orloj.dev~1user").asString())
                                    .isEqualTo(web.name());
                        });
    }

    private static List<String> worked(JsonNode found) {
        return found.path("worked").valueStream().map(JsonNode::asString).toList();
    }
}
