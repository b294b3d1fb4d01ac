package dev.orloj.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.FakeAuthorizationServer;
import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeHttpServer.Answer;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.server.mcp.McpProbe;
import dev.orloj.server.oidc.UserTokenIssuer;
import dev.orloj.server.testing.OrlojdProcess;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import javax.net.ssl.SSLContext;

/** A server that gets the calls of each user with a token for this user, over REST and MCP. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TokenExchangeTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String CALL = "/apis/orloj.dev/v1/namespaces/default/tools/crm--echo/call";

    private static final String SERVER = "/mcp/default/mcpservers/crm";

    @TempDir static Path folder;
    @TempDir static Path data;

    private UserTokenIssuer exchange;
    private FakeAuthorizationServer issuer;
    private FakeHttpServer server;
    private OrlojdProcess orlojd;
    private String ann;
    private String ben;

    @BeforeAll
    void start() throws Exception {
        exchange = UserTokenIssuer.start(folder);
        issuer = exchange.server();
        server = FakeHttpServer.start(FakeScript.wellBehaved().sessions().features());
        issuer.describeAt(server);
        server.guard(
                request ->
                        issuer.scopes(request) == null
                                ? new Answer(401, Map.of("WWW-Authenticate", "Bearer"), "")
                                : null);
        ann = exchange.tokenOf("ann");
        ben = exchange.tokenOf("ben");
        orlojd =
                OrlojdProcess.startWith(
                        exchange.jvmOptions(),
                        data,
                        "--https-port",
                        "0",
                        "--authentication-config",
                        exchange.authenticationConfiguration().toString());
        apply();
        bind("corp:ann", "caller");
        bind("corp:ben", "caller");
        McpUser user = new McpUser(client(ann), SERVER);
        await().atMost(TIMEOUT).until(() -> user.tools().contains("echo"));
    }

    @AfterAll
    void stop() throws InterruptedException {
        if (orlojd != null) {
            orlojd.close();
        }
        server.close();
        exchange.close();
    }

    private void apply() {
        RestClient owner = orlojd.client();
        owner.create(
                "default",
                "secrets",
                """
                apiVersion: orloj.dev/v1
                kind: Secret
                metadata: {name: crm-client}
                spec: {stringData: {value: "%s"}}
                """
                        .formatted(FakeAuthorizationServer.SECRET));
        owner.create(
                "default",
                "mcpservers",
                RunningOrlojd.http("crm", server.endpoint(), exchange.authOfServer("crm-client")));
        await().atMost(TIMEOUT).until(() -> phase().equals("Ready"));
    }

    private String phase() {
        return orlojd.client()
                .get(RestClient.collection("default", "mcpservers") + "/crm")
                .body()
                .at("/status/phase")
                .asString("");
    }

    private void bind(String user, String role) {
        orlojd.client()
                .post(
                        HttpsOrlojd.RBAC + "clusterrolebindings",
                        """
                        {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding",
                         "metadata": {"name": "%s-%s"},
                         "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "%2$s"},
                         "subjects": [{"kind": "User", "name": "%1$s"}]}\
                        """
                                .formatted(user, role))
                .expect(201);
        String token = user.endsWith("ann") ? ann : ben;
        await().atMost(TIMEOUT)
                .until(
                        () ->
                                new RestClient(orlojd.url(), token)
                                                .get(RestClient.collection("default", "tools"))
                                                .code()
                                        == 200);
    }

    private Set<String> usersOf(String method) {
        return server.received(method).stream().map(issuer::user).collect(Collectors.toSet());
    }

    @Test
    void eachUserCallsOverRestAndMcpAsThemselves() {
        new RestClient(orlojd.url(), ann).call("default", "crm--echo", "{}").expect(200);
        JsonNode answer = callOverMcp(ben);

        assertThat(answer.at("/result/content/0/text").asString()).as("%s", answer).isNotEmpty();
        assertThat(usersOf("tools/call")).containsExactlyInAnyOrder("ann", "ben");
        assertThat(server.received())
                .as("No token of a user reaches the server")
                .noneMatch(request -> request.headers().toString().contains(ann))
                .noneMatch(request -> request.headers().toString().contains(ben));
    }

    private JsonNode callOverMcp(String token) {
        return new McpProbe(URI.create(orlojd.url() + "/mcp/default/mcpservers/crm"))
                .post(
                        """
                        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params":
                         {"name": "echo", "arguments": {}, "_meta": {
                          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                          "io.modelcontextprotocol/clientInfo": {"name": "agent", "version": "1"},
                          "io.modelcontextprotocol/clientCapabilities": {}}}}\
                        """,
                        "Authorization",
                        "Bearer " + token,
                        "MCP-Protocol-Version",
                        "2026-07-28",
                        "Mcp-Method",
                        "tools/call",
                        "Mcp-Name",
                        "echo")
                .json();
    }

    private HttpsClient client(String token) throws Exception {
        return new HttpsClient(orlojd.url(), SSLContext.getDefault(), token);
    }

    private HttpsClient owner() throws Exception {
        return client(Files.readString(data.resolve("admin.token")).strip());
    }

    /** One user after another, in every revision: the credential is that of the caller. */
    @Test
    @DisplayName("Mistake 6: every method carries the credential of its user")
    void everyMethodCarriesTheTokenOfItsUser() throws Exception {
        for (String token : List.of(ann, ben)) {
            McpUser user = new McpUser(client(token), SERVER);
            for (McpUser each : List.of(user, user.initialized("2025-11-25"))) {
                for (Map.Entry<String, String> method : McpUser.METHODS_OF_SERVERS.entrySet()) {
                    int before = server.received(method.getKey()).size();
                    JsonNode answer = McpUser.message(each.ask(method.getKey(), method.getValue()));

                    assertThat(answer.has("result")).as(method.getKey() + answer).isTrue();
                    assertThat(server.received(method.getKey())).hasSize(before + 1);
                    assertThat(issuer.user(server.received(method.getKey()).getLast()))
                            .as(method.getKey())
                            .isEqualTo(token.equals(ann) ? "ann" : "ben");
                }
            }
        }
    }

    /** The sessions and the tokens of another user are there, and stay out of reach. */
    @Test
    @DisplayName("Mistake 4: a user without a login at the server never gets that of another")
    void callerWithoutATokenOfTheIssuerNeverGetsThatOfAnother() throws Exception {
        for (Map.Entry<String, String> method : McpUser.METHODS_OF_SERVERS.entrySet()) {
            new McpUser(client(ann), SERVER).ask(method.getKey(), method.getValue());
            int before = server.received(method.getKey()).size();
            McpUser owner = new McpUser(owner(), SERVER);
            for (McpUser each : List.of(owner, owner.initialized("2025-11-25"))) {
                JsonNode answer = McpUser.message(each.ask(method.getKey(), method.getValue()));

                assertThat(answer.at("/error/message").asString())
                        .as(method.getKey() + answer)
                        .contains("spec.auth.oauth.issuer");
            }
            assertThat(server.received(method.getKey())).as(method.getKey()).hasSize(before);
        }
    }

    @Test
    void callerWithoutATokenOfTheIssuerIsRefusedAndTheServerStaysReady() throws Exception {
        int before = server.received("tools/call").size();
        RestClient.Answer refused = orlojd.client().call("default", "crm--echo", "{}");

        assertThat(refused.code()).as(refused.text()).isEqualTo(403);
        assertThat(refused.body().path("message").asString())
                .contains("crm", "spec.auth.oauth.issuer", "was not called for you");
        assertThat(server.received("tools/call")).hasSize(before);
        assertThat(phase()).isEqualTo("Ready");
    }

    /** The owner may impersonate, but has no token of the user. */
    @Test
    void impersonatedUserHasNoToken() throws Exception {
        int before = server.received("tools/call").size();
        HttpsClient.Answer refused =
                owner().post(CALL, "{\"arguments\": {}}", "Impersonate-User", "corp:ann");

        assertThat(refused.code()).as(refused.text()).isEqualTo(403);
        assertThat(refused.message()).contains("spec.auth.oauth.issuer");
        assertThat(server.received("tools/call")).hasSize(before);
    }

    @Test
    void noTokenIsInTheLog() throws Exception {
        new RestClient(orlojd.url(), ann).call("default", "crm--echo", "{}").expect(200);

        assertThat(Files.readString(OrlojdProcess.log(data)))
                .doesNotContain(ann, FakeAuthorizationServer.SECRET, "Bearer token-");
    }
}
