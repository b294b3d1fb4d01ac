package dev.orloj.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.cli.Orlojctl;
import dev.orloj.cli.output.Console;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.Map;

/** A server as it starts without options: the HTTP port asks for a token, too. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(180)
class ClosedHttpPortTest {

    private static final String NAMESPACES = "/api/v1/namespaces";
    private static final String INITIALIZE =
            """
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion":
             "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}\
            """;

    @TempDir static Path data;

    @TempDir private Path home;

    private TestPostgres.Database database;
    private RunningOrlojd orlojd;
    private String url = "";

    @BeforeAll
    void start() {
        database = TestPostgres.freshDatabase();
        orlojd = RunningOrlojd.start(database, closed(data));
        url = orlojd.client().url();
    }

    private static Map<String, Object> closed(Path data) {
        return Map.of("orloj.data-dir", data, "orloj.security.insecure-allow-anonymous", false);
    }

    @AfterAll
    void stop() {
        orlojd.close();
        database.close();
    }

    private RestClient owner() throws Exception {
        return new RestClient(url, Files.readString(data.resolve("admin.token")).strip());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api",
                "/openapi/v3",
                "/metrics",
                "/mcp",
                "/error",
                NAMESPACES,
                "/apis/orloj.dev/v1/namespaces/default/tools/x/call",
                "/nothing"
            })
    void withoutATokenThereIsNothingToSee(String path) {
        assertThat(new RestClient(url).get(path).code()).isEqualTo(401);
        assertThat(new RestClient(url, "orlojt_none").get(path).code()).isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/healthz", "/livez", "/readyz", "/version"})
    void probesNeedNoToken(String path) {
        assertThat(new RestClient(url).get(path).code()).isEqualTo(200);
    }

    /** The path is that of the replicas only after it was normalized. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/internal/replicas/../../api/v1/namespaces",
                "/internal/replicas/..;/..;/api/v1/namespaces",
                "/internal/replicas/%2e%2e/%2e%2e/api/v1/namespaces"
            })
    void doorOfTheReplicasLeadsNowhereElse(String path) throws Exception {
        URI server = URI.create(url);
        try (Socket socket = new Socket(server.getHost(), server.getPort())) {
            socket.getOutputStream()
                    .write(
                            "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                                    .formatted(path)
                                    .getBytes(StandardCharsets.US_ASCII));
            String answer =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);

            assertThat(answer.lines().findFirst().orElse("")).contains(" 401");
        }
    }

    @Test
    void replicasComeWithTokensOfTheirOwn() {
        assertThat(new RestClient(url).post("/internal/replicas/x", Map.of()).text())
                .isEqualTo("only replicas of orlojd may come here");
    }

    @Test
    void clientsOfMcpAreToldHowToAuthenticate() throws Exception {
        HttpResponse<String> answer =
                HttpClient.newHttpClient()
                        .send(
                                HttpRequest.newBuilder(URI.create(url + "/mcp"))
                                        .header("Content-Type", "application/json")
                                        .POST(HttpRequest.BodyPublishers.ofString(INITIALIZE))
                                        .build(),
                                HttpResponse.BodyHandlers.ofString());

        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
    }

    @Test
    void ownerHasATokenAndAKubeconfig() throws Exception {
        assertThat(owner().get(NAMESPACES).code()).isEqualTo(200);
        assertThat(Files.readString(data.resolve("kubeconfig")))
                .contains("server: https://127.0.0.1:", "server: \"" + url + "\"");
        assertThat(
                        PosixFilePermissions.toString(
                                Files.getPosixFilePermissions(data.resolve("kubeconfig"))))
                .isEqualTo("rw-------");
    }

    @Test
    void openDataDirectoryOfBeforeGetsCredentialsAndKeepsItsResources(@TempDir Path old)
            throws Exception {
        try (TestPostgres.Database kept = TestPostgres.freshDatabase()) {
            try (RunningOrlojd open = RunningOrlojd.start(kept, Map.of("orloj.data-dir", old))) {
                open.createNamespace("team");
                assertThat(old.resolve("admin.token")).doesNotExist();
            }
            try (RunningOrlojd upgraded = RunningOrlojd.start(kept, closed(old))) {
                String address = upgraded.client().url();
                String token = Files.readString(old.resolve("admin.token")).strip();

                assertThat(new RestClient(address).get(NAMESPACES + "/team").code()).isEqualTo(401);
                assertThat(new RestClient(address, token).get(NAMESPACES + "/team").code())
                        .isEqualTo(200);
                assertThat(old.resolve("kubeconfig")).isRegularFile();
            }
        }
    }

    @Test
    void orlojctlOfTheOwnerFindsItsCredentialsByItself() {
        assertThat(orlojctl("--server", url, "get", "namespaces", "-o", "name"))
                .contains("namespace/default");
        assertThat(orlojctl("get", "namespaces", "-o", "name")).contains("namespace/default");
        assertThat(orlojctl("status")).doesNotContain("INSECURE");
    }

    @Test
    void clientGetsATokenThatMayUseToolsAndNothingElse() throws Exception {
        String printed = orlojctl("client-config", "cursor");
        String header =
                Json.MAPPER
                        .readTree(printed)
                        .at("/mcpServers/orloj/headers/Authorization")
                        .asString();
        RestClient client = new RestClient(url, header.replace("Bearer ", ""));

        assertThat(Json.MAPPER.readTree(printed).at("/mcpServers/orloj/url").asString())
                .isEqualTo(url + "/mcp/default");
        // The binding of its account counts as soon as the server has received it.
        await().untilAsserted(
                        () ->
                                assertThat(
                                                client.get(
                                                                "/apis/orloj.dev/v1/namespaces/default/tools")
                                                        .code())
                                        .isEqualTo(200));
        assertThat(client.get("/api/v1/namespaces/default/secrets").code()).isEqualTo(403);
        assertThat(client.get("/apis/orloj.dev/v1/namespaces/orloj-system/tools").code())
                .isEqualTo(403);
    }

    @Test
    void fileOfAClientIsForItsOwnerAndKeepsItsToken() throws Exception {
        Path file = home.resolve(".cursor/mcp.json");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "{\"mcpServers\": {}}");

        orlojctl("client-config", "cursor", "--write");
        String first = Files.readString(file);
        String again = orlojctl("client-config", "cursor", "--write");

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(again).contains("already");
        assertThat(Files.readString(file)).isEqualTo(first).contains("Bearer orlojt_");
        orlojctl("client-config", "cursor", "--write", "--renew-token");
        assertThat(Files.readString(file)).isNotEqualTo(first).contains("Bearer orlojt_");
    }

    /** A team shares it. */
    @Test
    void fileOfAProjectGetsAProgramAndNoToken() {
        assertThat(orlojctl("client-config", "claude-code"))
                .contains("\"serve\"", data.resolve("kubeconfig").toString())
                .doesNotContain("orlojt_");
    }

    @Test
    void everybodyIsLetInFromThisMachineOnly() {
        assertThatThrownBy(
                        () ->
                                RunningOrlojd.start(
                                        database,
                                        Map.of(
                                                "server.address",
                                                "0.0.0.0",
                                                "orloj.security.insecure-remote-access",
                                                true)))
                .hasStackTraceContaining("--insecure-allow-anonymous");
    }

    private String orlojctl(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console =
                new Console(
                        new ByteArrayInputStream(new byte[0]),
                        new PrintStream(out, false, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        Map.of("HOME", home.toString(), "ORLOJ_DATA_DIR", data.toString()),
                        InstantSource.system());
        int exitCode = Orlojctl.run(console, arguments);
        console.out().flush();
        assertThat(exitCode).as(err.toString(StandardCharsets.UTF_8)).isZero();
        return out.toString(StandardCharsets.UTF_8);
    }
}
