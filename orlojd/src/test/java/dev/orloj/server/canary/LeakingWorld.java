package dev.orloj.server.canary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.orloj.runtime.testkit.FakeAuthorizationServer;
import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeHttpServer.Answer;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.OrlojdProcess;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import tools.jackson.databind.JsonNode;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;

/**
 * An orlojd with a secret in each place that a secret can be, and counterparts that send what they
 * get back wherever they can.
 */
final class LeakingWorld implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final String SECRETS = "/api/v1/namespaces/default/secrets";
    static final String TOOLS = RestClient.collection("default", "tools") + "/";

    final Canaries canaries = new Canaries();
    final TestPostgres.Database database = TestPostgres.freshDatabase();
    final Path data;
    final List<String> exported = new CopyOnWriteArrayList<>();
    final FakeHttpServer guarded = FakeHttpServer.start(FakeScript.wellBehaved().tools("echo"));
    final FakeHttpServer refusing = FakeHttpServer.start(FakeScript.wellBehaved());
    final FakeHttpServer authorized = FakeHttpServer.start(FakeScript.wellBehaved());

    /** What the endpoint of the declared Tool got. */
    final List<String> requested = new CopyOnWriteArrayList<>();

    private final FakeAuthorizationServer issuer = FakeAuthorizationServer.start();
    final AuthorizedServers ofUsers;
    private final HttpServer http;
    private final Path program;
    private OrlojdProcess orlojd;
    private RestClient client;

    LeakingWorld(Path folder) throws Exception {
        data = folder.resolve("data");
        program = folder.resolve("leaking.py");
        ofUsers = new AuthorizedServers(folder);
        try (InputStream script = getClass().getResourceAsStream("leaking.py")) {
            Files.copy(Objects.requireNonNull(script), program);
        }
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/v1/", this::collect);
        http.createContext("/api/", this::reveal);
        http.start();
        refusing.guard(
                request ->
                        Answer.of(
                                401,
                                "text/plain",
                                "no access with " + request.headers().get("authorization")));
        issuer.refuse("invalid_client", "no client has " + canaries.of("clientSecretRef"));
        issuer.describeAt(authorized);
        authorized.guard(_ -> new Answer(401, Map.of("WWW-Authenticate", "Bearer"), ""));
        orlojd = start(folder);
        client =
                new RestClient(orlojd.url(), Files.readString(data.resolve("admin.token")).strip());
        canaries.add("admin.token", Files.readString(data.resolve("admin.token")).strip());
        applySecrets();
        applyServers();
        applyTool();
        createTokens();
        awaitStates();
        call();
        ofUsers.use(client, orlojd.url(), canaries);
    }

    private OrlojdProcess start(Path folder) throws Exception {
        Path password = folder.resolve("password");
        Files.writeString(password, database.direct().getPassword());
        canaries.add("password of the database", database.direct().getPassword());
        canaries.add(
                "ORLOJ_SECRETS_KEY",
                java.util.Base64.getEncoder()
                        .encodeToString(
                                canaries.of("key")
                                        .substring(0, 32)
                                        .getBytes(StandardCharsets.UTF_8)));
        return OrlojdProcess.start(
                ofUsers.jvmOptions(),
                Map.of(
                        "ORLOJ_SECRET_FROM_ENVIRONMENT",
                        canaries.of("ORLOJ_SECRET_"),
                        "ORLOJ_SECRETS_KEY",
                        canaries.of("ORLOJ_SECRETS_KEY")),
                folder.resolve("output"),
                "--authentication-config",
                ofUsers.authenticationConfiguration().toString(),
                "--data-dir",
                data.toString(),
                "--https-port",
                "0",
                "--https-host",
                "127.0.0.1",
                "--log-level",
                "debug",
                "--otlp-endpoint",
                "http://127.0.0.1:" + http.getAddress().getPort(),
                "--database-url",
                "jdbc:postgresql://127.0.0.1:%d/%s"
                        .formatted(
                                database.direct().getPortNumbers()[0],
                                database.direct().getDatabaseName()),
                "--database-user",
                String.valueOf(database.direct().getUser()),
                "--database-password-file",
                password.toString());
    }

    RestClient client() {
        return client;
    }

    OrlojdProcess orlojd() {
        return orlojd;
    }

    private void collect(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        if ("gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"))) {
            body = new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes();
        }
        exported.add(new String(body, StandardCharsets.ISO_8859_1));
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }

    /** Fails with all that it got. */
    private void reveal(HttpExchange exchange) throws IOException {
        String got =
                "GET %s, X-Key: %s, %s"
                        .formatted(
                                exchange.getRequestURI(),
                                exchange.getRequestHeaders().getFirst("X-Key"),
                                exchange.getRequestHeaders().getFirst("Authorization"));
        requested.add(got);
        byte[] body = got.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(500, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private void applySecrets() {
        for (String place :
                List.of(
                        "env",
                        "env_from",
                        "headers",
                        "auth",
                        "clientSecretRef",
                        "tool.auth",
                        "tool.headers",
                        "tool.query")) {
            String name = place.toLowerCase(java.util.Locale.ROOT).replace('_', '-');
            client.post(
                            SECRETS,
                            Map.of(
                                    "apiVersion",
                                    "v1",
                                    "kind",
                                    "Secret",
                                    "metadata",
                                    Map.of("name", name),
                                    "stringData",
                                    Map.of("value", canaries.of(place))))
                    .expect(201);
        }
        String manifest =
                """
                {"apiVersion":"v1","kind":"Secret","metadata":{"name":"applied"},\
                "stringData":{"value":"%s"}}\
                """
                        .formatted(canaries.of("last-applied-configuration"));
        client.post(
                        SECRETS,
                        Map.of(
                                "apiVersion",
                                "v1",
                                "kind",
                                "Secret",
                                "metadata",
                                Map.of(
                                        "name",
                                        "applied",
                                        "annotations",
                                        Map.of(
                                                "kubectl.kubernetes.io/last-applied-configuration",
                                                manifest)),
                                "data",
                                Map.of("value", "cGxhaW4=")))
                .expect(201);
    }

    private void applyServers() {
        List<String> python = List.of("python3", program.toString());
        String secret = "{name: CANARY, secretRef: env}";
        server(RunningOrlojd.stdio("leaking", python, "env: [" + secret + "]"));
        for (String mode : List.of("exit", "refuse")) {
            server(
                    RunningOrlojd.stdio(
                            mode,
                            python,
                            "env: [%s, {name: MODE, value: %s}]".formatted(secret, mode)));
        }
        server(
                RunningOrlojd.stdio(
                        "from-environment",
                        python,
                        "env: [{name: CANARY, secretRef: from-environment}, {name: MODE, value:"
                                + " exit}]"));
        server(
                RunningOrlojd.stdio(
                        "from-secret", python, "env_from: [{secretRef: {name: env-from}}]"));
        server(
                RunningOrlojd.http(
                        "guarded",
                        guarded.endpoint(),
                        "headers: [{name: X-Key, secretRef: headers}]",
                        "auth: {secretRef: auth}"));
        server(RunningOrlojd.http("refusing", refusing.endpoint(), "auth: {secretRef: auth}"));
        server(
                RunningOrlojd.http(
                        "authorized",
                        authorized.endpoint(),
                        "auth: {oauth: {clientId: c, clientSecretRef: clientsecretref, issuer: \"%s\"}}"
                                .formatted(issuer.issuer())));
    }

    private void server(String manifest) {
        client.create("default", "mcpservers", manifest);
    }

    private void applyTool() {
        client.create(
                "default",
                "tools",
                """
                apiVersion: orloj.dev/v1
                kind: Tool
                metadata: {name: declared}
                spec:
                  method: GET
                  endpoint: http://127.0.0.1:%d/api/item
                  auth: {secretRef: tool.auth}
                  headers: [{name: X-Key, secretRef: tool.headers}]
                  query: [{name: key, secretRef: tool.query}]
                """
                        .formatted(http.getAddress().getPort()));
    }

    private void createTokens() {
        JsonNode user =
                client.post(
                                "/apis/orloj.dev/v1/usertokens",
                                "{\"metadata\": {\"name\": \"ann\"}, \"spec\": {\"user\":"
                                        + " \"ann\"}}")
                        .expect(201)
                        .body();
        canaries.add("user token", user.at("/status/token").asString());
        // Each namespace gets its account a moment after the start.
        await().atMost(TIMEOUT)
                .until(
                        () ->
                                client.get("/api/v1/namespaces/default/serviceaccounts/default")
                                                .code()
                                        == 200);
        JsonNode account =
                client.post(
                                "/api/v1/namespaces/default/serviceaccounts/default/token",
                                "{\"apiVersion\": \"authentication.k8s.io/v1\", \"kind\":"
                                        + " \"TokenRequest\", \"spec\": {}}")
                        .expect(201)
                        .body();
        canaries.add("token of a ServiceAccount", account.at("/status/token").asString());
        for (String place : List.of("user token", "token of a ServiceAccount")) {
            new RestClient(orlojd.url(), canaries.of(place)).get(SECRETS).expect(403);
        }
    }

    private void awaitStates() {
        for (String name : List.of("leaking", "guarded", "from-secret")) {
            await().atMost(TIMEOUT).until(() -> condition(name, "Ready").equals("True"));
        }
        for (String name :
                List.of("exit", "refuse", "from-environment", "refusing", "authorized")) {
            await().atMost(TIMEOUT).until(() -> condition(name, "Connected").equals("False"));
        }
        await().atMost(TIMEOUT).until(() -> callTool("declared", "{}").code() == 200);
    }

    private String condition(String server, String type) {
        return client.get(RestClient.collection("default", "mcpservers") + "/" + server)
                .expect(200)
                .body()
                .at("/status/conditions")
                .valueStream()
                .filter(each -> each.path("type").asString("").equals(type))
                .map(each -> each.path("status").asString(""))
                .findFirst()
                .orElse("");
    }

    RestClient.Answer callTool(String tool, String arguments) {
        return client.call("default", tool, arguments);
    }

    private void call() throws Exception {
        assertThat(callTool("leaking--reveal", "{}").expect(200).text())
                .contains(canaries.of("env"));
        callTool("leaking--fail", "{}");
        callTool("guarded--echo", "{\"text\": \"%s\"}".formatted(canaries.of("argument")));
        HttpRequest later =
                HttpRequest.newBuilder(URI.create(orlojd.url() + TOOLS + "leaking--reveal/call"))
                        .header("Authorization", "Bearer " + canaries.of("admin.token"))
                        .header("Content-Type", "application/json")
                        .header("Prefer", "respond-async")
                        .POST(
                                HttpRequest.BodyPublishers.ofString(
                                        "{\"arguments\": {\"text\": \"%s\"}}"
                                                .formatted(canaries.of("argument"))))
                        .build();
        try (HttpClient sender = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = sender.send(later, HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
            String call = answer.headers().firstValue("Location").orElseThrow();
            await().atMost(TIMEOUT)
                    .until(
                            () -> client.get(call).body().path("state").asString(""),
                            "Completed"::equals);
            assertThat(client.get(call).text()).contains(canaries.of("env"));
        }
    }

    @Override
    public void close() throws Exception {
        orlojd.close();
        guarded.close();
        refusing.close();
        authorized.close();
        issuer.close();
        ofUsers.close();
        http.stop(0);
        database.close();
    }
}
