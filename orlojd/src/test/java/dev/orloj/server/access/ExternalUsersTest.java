package dev.orloj.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;

import com.nimbusds.jwt.JWTClaimsSet;

import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.server.authentication.AuthenticationGuard;
import dev.orloj.server.oidc.IdentityProvider;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;

import javax.net.ssl.SSLSocket;

/** Users of an identity provider, and clients of MCP that look for it. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExternalUsersTest {

    private static final String ORIGIN = "https://agents.example.com";
    private static final String SCOPE = "mcp:use";
    private static final String METADATA = "/.well-known/oauth-protected-resource";
    private static final String TOOLS = RestClient.collection("default", "tools");
    private static final String BOTH = "application/json, text/event-stream";
    private static final String INITIALIZE =
            """
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params":
             {"protocolVersion": "2025-11-25", "capabilities": {},
              "clientInfo": {"name": "agent", "version": "1"}}}\
            """;
    private static final String LIST =
            "{\"jsonrpc\": \"2.0\", \"id\": 2, \"method\": \"tools/list\"}";

    @TempDir static Path data;
    @TempDir static Path folder;

    private TestPostgres.Database database;
    private IdentityProvider provider;
    private FakeHttpServer upstream;
    private HttpsOrlojd orlojd;
    private HttpsClient client;

    @BeforeAll
    void start() throws Exception {
        provider = IdentityProvider.start(folder);
        Path configuration = folder.resolve("authentication.yaml");
        Files.writeString(configuration, provider.configuration());
        upstream = FakeHttpServer.start(FakeScript.wellBehaved().tools("echo"));
        database = TestPostgres.freshDatabase();
        orlojd =
                HttpsOrlojd.start(
                        database,
                        data,
                        Map.of(
                                "orloj.authentication.config-file",
                                configuration,
                                "orloj.authentication.retry-period",
                                "50ms",
                                "orloj.authentication.required-scopes",
                                SCOPE,
                                "orloj.mcp.allowed-origins",
                                ORIGIN));
        client = orlojd.anonymous();
        orlojd.bind("corp:ann", "caller");
        orlojd.bind("corp:ben", "caller");
        orlojd.orlojd()
                .client()
                .create("default", "mcpservers", RunningOrlojd.http("up", upstream.endpoint(), ""));
        await().atMost(Duration.ofSeconds(60))
                .until(() -> client.get(TOOLS + "/up--echo", bearer(ann())).code() == 200);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> client.get(TOOLS, bearer(ann().subject("ben"))).code() == 200);
        String session = initialize(bearer(ann())).header("Mcp-Session-Id");
        await().atMost(Duration.ofSeconds(60))
                .until(
                        () ->
                                client.post("/mcp", LIST, bearer(ann(), "Mcp-Session-Id", session))
                                        .text()
                                        .contains("up__echo"));
    }

    @AfterAll
    void stop() {
        orlojd.close();
        database.close();
        upstream.close();
        provider.close();
    }

    private JWTClaimsSet.Builder ann() {
        return provider.ann().claim("scope", SCOPE);
    }

    private String[] bearer(JWTClaimsSet.Builder claims, String... more) {
        String[] headers = new String[more.length + 4];
        headers[0] = "Authorization";
        headers[1] = "Bearer " + provider.sign(claims);
        headers[2] = "Accept";
        headers[3] = BOTH;
        System.arraycopy(more, 0, headers, 4, more.length);
        return headers;
    }

    @Test
    void tokenNamesItsUser() throws Exception {
        HttpsClient.Answer answer =
                client.post(
                        "/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}", bearer(ann()));

        assertThat(answer.json().at("/status/userInfo/username").asString()).isEqualTo("corp:ann");
        assertThat(answer.json().at("/status/userInfo/groups").toString())
                .isEqualTo("[\"corp:web\",\"system:authenticated\"]");
    }

    @Test
    @DisplayName("Mistake 1: a token that is refreshed keeps its session")
    void refreshedTokenKeepsItsSession() throws Exception {
        String session = initialize(bearer(ann())).header("Mcp-Session-Id");
        String[] later =
                bearer(
                        ann().expirationTime(Date.from(Instant.now().plusSeconds(7_000)))
                                .claim("groups", List.of("ops")),
                        "Mcp-Session-Id",
                        session);

        assertThat(client.post("/mcp", LIST, later).text()).contains("up__echo");
    }

    @Test
    @DisplayName("Mistake 2: a session of another user is unknown")
    void sessionOfAnotherSubjectIsUnknown() throws Exception {
        String session = initialize(bearer(ann())).header("Mcp-Session-Id");
        String[] ben = bearer(ann().subject("ben"), "Mcp-Session-Id", session);

        assertThat(client.post("/mcp", LIST, ben).code()).isEqualTo(404);
        assertThat(client.get("/mcp", ben).code()).isEqualTo(404);
        assertThat(client.send("DELETE", "/mcp", "", ben).code()).isEqualTo(404);
        HttpsClient sameName = orlojd.user("corp:ann");
        assertThat(sameName.post("/mcp", LIST, "Accept", BOTH, "Mcp-Session-Id", session).code())
                .isEqualTo(404);
        assertThat(client.post("/mcp", LIST, bearer(ann(), "Mcp-Session-Id", session)).text())
                .contains("up__echo");
    }

    private HttpsClient.Answer initialize(String[] headers) throws Exception {
        HttpsClient.Answer opened = client.post("/mcp", INITIALIZE, headers);
        assertThat(opened.code()).as(opened.text()).isEqualTo(200);
        return opened;
    }

    @Test
    @DisplayName("Mistakes 5 and 12: no server gets a token of ours, or who someone claims to be")
    void tokenEndsHere() throws Exception {
        String token = provider.sign(ann());
        String[] headers = {
            "Authorization", "Bearer " + token, "Accept", BOTH,
            "X-Forwarded-User", "eve-of-proxy", "X-User", "eve-of-proxy",
            "X-Remote-User", "eve-of-proxy", "X-Remote-Group", "orloj:administrators"
        };
        HttpsClient.Answer opened = client.post("/mcp", INITIALIZE, headers);
        String session = opened.header("Mcp-Session-Id");
        String call =
                """
                {"jsonrpc": "2.0", "id": 3, "method": "tools/call",
                 "params": {"name": "up__echo", "arguments": {}}}\
                """;
        String[] inSession = Arrays.copyOf(headers, headers.length + 2);
        inSession[headers.length] = "Mcp-Session-Id";
        inSession[headers.length + 1] = session;

        assertThat(client.post("/mcp", LIST, inSession).code()).isEqualTo(200);
        assertThat(client.post("/mcp", call, inSession).code()).isEqualTo(200);
        assertThat(client.post(TOOLS + "/up--echo/call", "{\"arguments\": {}}", headers).code())
                .isEqualTo(200);
        assertThat(client.get("/api/v1/namespaces/default/secrets", headers).code()).isEqualTo(403);

        assertThat(upstream.received("tools/call")).hasSizeGreaterThanOrEqualTo(2);
        assertThat(upstream.received())
                .allSatisfy(
                        request -> {
                            assertThat(request.headers()).doesNotContainKey("authorization");
                            assertThat(request.toString()).doesNotContain(token, "eve-of-proxy");
                        });
    }

    @Test
    void clientWithoutATokenLearnsWhereToGetOne() throws Exception {
        for (String path : List.of("/mcp", "/mcp/web", "/mcp/web/mcpservers/s")) {
            HttpsClient.Answer refused = client.post(path, INITIALIZE);
            String metadata = orlojd.url() + METADATA + path;
            HttpsClient.Answer document = client.get(METADATA + path);

            assertThat(refused.code()).as(path).isEqualTo(401);
            assertThat(refused.header("WWW-Authenticate"))
                    .isEqualTo(
                            "Bearer resource_metadata=\"%s\", scope=\"%s\""
                                    .formatted(metadata, SCOPE));
            assertThat(document.code()).isEqualTo(200);
            assertThat(document.header("Content-Type")).isEqualTo("application/json");
            assertThat(document.json().path("resource").asString()).isEqualTo(orlojd.url() + path);
            assertThat(document.json().path("authorization_servers").toString())
                    .isEqualTo("[\"" + provider.issuer() + "\"]");
            assertThat(document.json().path("scopes_supported").toString())
                    .isEqualTo("[\"" + SCOPE + "\"]");
        }
        assertThat(client.get(METADATA + "/apis").code()).isEqualTo(404);
        assertThat(client.get(TOOLS).header("WWW-Authenticate")).isEmpty();
    }

    @Test
    @DisplayName("Mistake 15: a token for others gets 401, and the log says why")
    void tokenForOthersIsRefusedAndTheLogSaysWhy() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger(AuthenticationGuard.class);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        HttpsClient.Answer refused;
        try {
            refused = client.post("/mcp", INITIALIZE, bearer(ann().audience("another")));
        } finally {
            logger.detachAppender(log);
        }

        assertThat(refused.code()).isEqualTo(401);
        assertThat(refused.header("WWW-Authenticate"))
                .startsWith("Bearer error=\"invalid_token\", resource_metadata=");
        assertThat(refused.text()).doesNotContain("another");
        assertThat(log.list)
                .anySatisfy(
                        event ->
                                assertThat(event.getKeyValuePairs().toString())
                                        .contains(
                                                "its audience [another] is neither configured",
                                                orlojd.url() + "/mcp"));
    }

    @ParameterizedTest
    @DisplayName("Mistake 19: a token without a claim is refused, at every door")
    @ValueSource(strings = {"sub", "exp", "aud", "iss"})
    void tokenWithoutAClaimIsRefused(String claim) throws Exception {
        String[] headers = bearer(ann().claim(claim, null));

        for (String path : List.of("/mcp", TOOLS + "/up--echo/call")) {
            assertThat(client.post(path, INITIALIZE, headers).code()).as(path).isEqualTo(401);
        }
    }

    @Test
    void tokenForOneEndpointIsForThatOne() throws Exception {
        JWTClaimsSet.Builder claims = ann().audience(orlojd.url() + "/mcp/default/mcpservers/up");
        String[] headers = bearer(claims);

        assertThat(client.post("/mcp/default/mcpservers/up", INITIALIZE, headers).code())
                .isEqualTo(200);
        assertThat(client.post("/mcp", INITIALIZE, headers).code()).isEqualTo(401);
        assertThat(client.post("/mcp/default", INITIALIZE, headers).code()).isEqualTo(401);
        assertThat(client.get(TOOLS, headers).code()).isEqualTo(401);
    }

    @Test
    @DisplayName("A scope that is missing is asked for, a right that is missing is not")
    void missingScopeIsAskedForAndAMissingRightIsNot() throws Exception {
        HttpsClient.Answer scope =
                client.post("/mcp", INITIALIZE, bearer(ann().claim("scope", "openid")));
        HttpsClient.Answer right =
                client.post(
                        "/mcp/default/mcpservers/up",
                        INITIALIZE,
                        bearer(ann().subject("stranger")));
        HttpsClient.Answer call =
                client.post(TOOLS + "/up--echo/call", "{}", bearer(ann().subject("stranger")));

        assertThat(scope.code()).isEqualTo(403);
        assertThat(scope.header("WWW-Authenticate"))
                .isEqualTo(
                        "Bearer error=\"insufficient_scope\", resource_metadata=\"%s%s/mcp\", scope=\"%s\""
                                .formatted(orlojd.url(), METADATA, SCOPE));
        assertThat(scope.message()).isEqualTo("the token lacks the scope " + SCOPE);
        assertThat(right.code()).isEqualTo(404);
        assertThat(right.header("WWW-Authenticate")).isEmpty();
        assertThat(call.code()).isEqualTo(403);
        assertThat(call.header("WWW-Authenticate")).isEmpty();
        assertThat(client.get(TOOLS, bearer(ann().claim("scope", null))).code()).isEqualTo(200);
        assertThat(orlojd.owner().post("/mcp", INITIALIZE, "Accept", BOTH).code()).isEqualTo(200);
    }

    @Test
    @DisplayName("Mistake 13: Host and X-Forwarded headers change neither identity nor resource")
    void headersOfProxiesChangeNoResource() throws Exception {
        String resource = "\"resource\":\"" + orlojd.url() + "/mcp\"";

        assertThat(
                        client.get(
                                        METADATA + "/mcp",
                                        "X-Forwarded-Host",
                                        "evil.example.com",
                                        "X-Forwarded-Proto",
                                        "http",
                                        "Forwarded",
                                        "host=evil.example.com",
                                        "X-Forwarded-For",
                                        "127.0.0.1")
                                .text())
                .contains(resource);
        assertThat(
                        raw(
                                "GET "
                                        + METADATA
                                        + "/mcp HTTP/1.1\r\nHost: evil.example.com\r\nConnection:"
                                        + " close\r\n\r\n"))
                .contains(resource)
                .doesNotContain("evil");
        assertThat(raw("POST /mcp HTTP/1.1\r\nHost: evil.example.com\r\nConnection: close\r\n\r\n"))
                .contains("401", orlojd.url() + METADATA + "/mcp")
                .doesNotContain("evil");
    }

    /** A client of the JDK sends no other Host than that of the URL. */
    private String raw(String request) throws Exception {
        URI server = URI.create(orlojd.url());
        try (SSLSocket socket =
                        (SSLSocket)
                                orlojd.certificates()
                                        .anonymous()
                                        .getSocketFactory()
                                        .createSocket(server.getHost(), server.getPort());
                InputStream answer = socket.getInputStream()) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void pagesOfAllowedOriginsReadTheMetadataAndTheChallenge() throws Exception {
        String[] page = {"Origin", ORIGIN, "Sec-Fetch-Site", "cross-site"};
        String[] preflight = {
            "Origin", ORIGIN,
            "Access-Control-Request-Method", "POST",
            "Access-Control-Request-Headers", "authorization,mcp-protocol-version"
        };

        for (String path : List.of(METADATA + "/mcp", "/mcp")) {
            HttpsClient.Answer allowed = client.send("OPTIONS", path, "", preflight);
            assertThat(allowed.code()).as(path).isEqualTo(200);
            assertThat(allowed.header("Access-Control-Allow-Origin")).isEqualTo(ORIGIN);
            assertThat(allowed.header("Access-Control-Allow-Headers")).contains("authorization");
        }
        HttpsClient.Answer document = client.get(METADATA + "/mcp", page);
        HttpsClient.Answer refused = client.post("/mcp", INITIALIZE, page);
        assertThat(document.code()).isEqualTo(200);
        assertThat(document.header("Access-Control-Allow-Origin")).isEqualTo(ORIGIN);
        assertThat(refused.code()).isEqualTo(401);
        assertThat(refused.header("Access-Control-Allow-Origin")).isEqualTo(ORIGIN);
        assertThat(refused.header("Access-Control-Expose-Headers")).contains("WWW-Authenticate");
        assertThat(client.get(METADATA + "/mcp", "Origin", "https://evil.example.com").code())
                .isEqualTo(403);
        assertThat(client.send("OPTIONS", TOOLS, "", preflight).code()).isEqualTo(403);
    }

    @Test
    void probeAndMetricShowWhetherTheIssuerCanBeReached() throws Exception {
        assertThat(client.get("/readyz?verbose").text())
                .contains("[+]issuer " + provider.issuer() + " ok");
        assertThat(orlojd.owner().get("/metrics").text())
                .contains("orloj_issuer_reachable{issuer=\"" + provider.issuer() + "\"} 1.0");
    }

    @Test
    void tokenThatDoesNotCountIsNeverAnonymous() throws Exception {
        String[] late = bearer(ann().expirationTime(Date.from(Instant.now().minusSeconds(60))));

        assertThat(client.get("/version", late).code()).isEqualTo(401);
        assertThat(client.get("/version").code()).isEqualTo(200);
    }
}
