package dev.orloj.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.postgres.TestPostgres;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;

/** Tokens of ServiceAccounts, as {@code kubectl create token} asks for them. */
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ServiceAccountTokenTest {

    private static final String ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";
    private static final String TOOLS = "/apis/orloj.dev/v1/namespaces/default/tools";
    private static final String REVIEWS = "/apis/authentication.k8s.io/v1/tokenreviews";

    private static final String INITIALIZE =
            """
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params":
             {"protocolVersion": "2025-11-25", "capabilities": {},
              "clientInfo": {"name": "agent", "version": "1"}}}\
            """;
    private static final String LIST =
            "{\"jsonrpc\": \"2.0\", \"id\": 2, \"method\": \"tools/list\"}";

    @TempDir static Path data;

    private TestPostgres.Database database;
    private HttpsOrlojd orlojd;
    private HttpsClient owner;

    @BeforeAll
    void start() throws Exception {
        database = TestPostgres.freshDatabase();
        orlojd = HttpsOrlojd.start(database, data, Map.of());
        owner = orlojd.owner();
    }

    @AfterAll
    void stop() {
        orlojd.close();
        database.close();
    }

    private void create(String account) throws Exception {
        HttpsClient.Answer created =
                owner.post(ACCOUNTS, "{\"metadata\": {\"name\": \"%s\"}}".formatted(account));
        assertThat(created.code()).as(created.text()).isEqualTo(201);
    }

    private HttpsClient.Answer request(String account, String spec) throws Exception {
        return owner.post(ACCOUNTS + "/" + account + "/token", "{\"spec\": {%s}}".formatted(spec));
    }

    private String token(String account) throws Exception {
        HttpsClient.Answer issued = request(account, "");
        assertThat(issued.code()).as(issued.text()).isEqualTo(201);
        return issued.json().at("/status/token").asString();
    }

    private JsonNode whoami(HttpsClient client) throws Exception {
        return client.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}")
                .json()
                .at("/status/userInfo");
    }

    @Test
    void everyNamespaceHasADefaultAccount() throws Exception {
        orlojd.orlojd().createNamespace("fresh");
        String account = "/api/v1/namespaces/fresh/serviceaccounts/default";
        await().until(() -> owner.get(account).code() == 200);
        String uid = owner.get(account).json().at("/metadata/uid").asString();
        owner.send("DELETE", account, "");

        await().until(
                        () -> {
                            HttpsClient.Answer again = owner.get(account);
                            return again.code() == 200
                                    && !again.json().at("/metadata/uid").asString().equals(uid);
                        });
        assertThat(owner.get(ACCOUNTS + "/default").code()).isEqualTo(200);
        assertThat(owner.send("DELETE", "/api/v1/namespaces/fresh", "").code()).isIn(200, 202);
        await().until(() -> owner.get("/api/v1/namespaces/fresh").code() == 404);
    }

    @Test
    void tokenIsThatOfItsAccount() throws Exception {
        create("builder");
        HttpsClient.Answer issued = request("builder", "");
        String token = issued.json().at("/status/token").asString();

        JsonNode user = whoami(orlojd.bearer(token));

        assertThat(user.path("username").asString())
                .isEqualTo("system:serviceaccount:default:builder");
        assertThat(user.path("uid").asString())
                .isEqualTo(owner.get(ACCOUNTS + "/builder").json().at("/metadata/uid").asString());
        assertThat(user.path("groups").toString())
                .isEqualTo(
                        "[\"system:serviceaccounts\",\"system:serviceaccounts:default\","
                                + "\"system:authenticated\"]");
        assertThat(user.at("/extra/authentication.kubernetes.io~1credential-id/0").asString())
                .startsWith("JTI=");
        JsonNode claims =
                HttpsClient.json(
                        new String(Base64.getUrlDecoder().decode(token.split("\\.")[1]), "UTF-8"));
        assertThat(claims.path("exp").asLong() - claims.path("iat").asLong()).isEqualTo(3600);
        assertThat(Instant.parse(issued.json().at("/status/expirationTimestamp").asString()))
                .isEqualTo(Instant.ofEpochSecond(claims.path("exp").asLong()));
        assertThat(claims.at("/kubernetes.io/serviceaccount/name").asString()).isEqualTo("builder");
    }

    @Test
    void accountHasTheRolesThatAreBoundToIt() throws Exception {
        create("caller");
        HttpsClient caller = orlojd.bearer(token("caller"));
        assertThat(caller.get(TOOLS).code()).isEqualTo(403);
        HttpsClient.Answer bound =
                owner.post(
                        HttpsOrlojd.RBAC + "namespaces/default/rolebindings",
                        """
                        {"metadata": {"name": "caller-calls"},
                         "roleRef": {"kind": "ClusterRole", "name": "caller"},
                         "subjects": [{"kind": "ServiceAccount", "name": "caller"}]}\
                        """);
        assertThat(bound.code()).as(bound.text()).isEqualTo(201);

        await().until(() -> caller.get(TOOLS).code() == 200);
        assertThat(caller.get("/apis/orloj.dev/v1/namespaces/other/tools").code()).isEqualTo(403);
    }

    @Test
    void boundsOfARequestAreThoseOfKubernetes() throws Exception {
        create("bounds");

        assertThat(request("bounds", "\"expirationSeconds\": 599").message())
                .isEqualTo(
                        "TokenRequest.authentication.k8s.io \"\" is invalid:"
                                + " spec.expirationSeconds: Invalid value: 599: may not specify a"
                                + " duration less than 10 minutes");
        assertThat(request("bounds", "\"expirationSeconds\": 599").code()).isEqualTo(422);
        assertThat(request("bounds", "\"expirationSeconds\": 4294967297").code()).isEqualTo(422);
        HttpsClient.Answer shortened = request("bounds", "\"expirationSeconds\": 31536001");
        assertThat(shortened.header("Warning"))
                .contains("requested expiration of 31536001 seconds shortened to 31536000 seconds");
        assertThat(shortened.json().at("/spec/expirationSeconds").asLong()).isEqualTo(31536000);
        HttpsClient.Answer node =
                request(
                        "bounds",
                        "\"boundObjectRef\": {\"kind\": \"Node\", \"apiVersion\": \"v1\","
                                + " \"name\": \"n\"}");
        assertThat(node.code()).isEqualTo(400);
        assertThat(node.message()).isEqualTo("cannot bind token to object of type /v1, Kind=Node");
        assertThat(owner.post(ACCOUNTS + "/absent/token", "{}").message())
                .isEqualTo("serviceaccounts \"absent\" not found");
    }

    @Test
    void tokenEndsWithTheObjectThatItIsBoundTo() throws Exception {
        create("bound");
        String secrets = "/api/v1/namespaces/default/secrets";
        owner.post(secrets, "{\"metadata\": {\"name\": \"anchor\"}}");
        String bound =
                "\"boundObjectRef\": {\"kind\": \"Secret\", \"apiVersion\": \"v1\", \"name\":"
                        + " \"anchor\"%s}";
        assertThat(request("bound", bound.formatted(", \"uid\": \"other\"")).code()).isEqualTo(409);
        HttpsClient.Answer issued = request("bound", bound.formatted(""));
        HttpsClient client = orlojd.bearer(issued.json().at("/status/token").asString());
        assertThat(client.get("/api").code()).as(issued.text()).isEqualTo(200);

        owner.send("DELETE", secrets + "/anchor", "");

        await().until(() -> client.get("/api").code() == 401);
    }

    /** Deletion revokes, and a new account of the same name does not revive. */
    @Test
    void tokenOfADeletedAccountEndsItsOpenWatchToo() throws Exception {
        create("leaver");
        HttpsClient.Answer bound =
                owner.post(
                        HttpsOrlojd.RBAC + "clusterrolebindings",
                        """
                        {"metadata": {"name": "leaver-views"},
                         "roleRef": {"kind": "ClusterRole", "name": "view"},
                         "subjects": [{"kind": "ServiceAccount", "name": "leaver", "namespace": "default"}]}\
                        """);
        assertThat(bound.code()).as(bound.text()).isEqualTo(201);
        HttpsClient client = orlojd.bearer(token("leaver"));
        await().until(() -> client.get(TOOLS).code() == 200);
        try (InputStream watch = client.open(TOOLS + "?watch=true", "Accept", "application/json")) {
            owner.send("DELETE", ACCOUNTS + "/leaver", "");
            create("leaver");

            await().atMost(Duration.ofSeconds(60)).until(() -> client.get("/api").code() == 401);
            assertThat(ends(watch)).isTrue();
        }
    }

    @Test
    void sessionOfADeletedAccountIsNotThatOfItsSuccessor() throws Exception {
        create("agent");
        HttpsClient.Answer bound =
                owner.post(
                        HttpsOrlojd.RBAC + "namespaces/default/rolebindings",
                        """
                        {"metadata": {"name": "agent-calls"},
                         "roleRef": {"kind": "ClusterRole", "name": "caller"},
                         "subjects": [{"kind": "ServiceAccount", "name": "agent"}]}\
                        """);
        assertThat(bound.code()).as(bound.text()).isEqualTo(201);
        HttpsClient agent = orlojd.bearer(token("agent"));
        await().until(() -> agent.get(TOOLS).code() == 200);
        String both = "application/json, text/event-stream";
        String session = agent.post("/mcp", INITIALIZE, "Accept", both).header("Mcp-Session-Id");
        String[] headers = {"Accept", both, "Mcp-Session-Id", session};
        assertThat(agent.post("/mcp", LIST, headers).code()).isEqualTo(200);

        owner.send("DELETE", ACCOUNTS + "/agent", "");
        create("agent");

        assertThat(orlojd.bearer(token("agent")).post("/mcp", LIST, headers).code()).isEqualTo(404);
    }

    /** Reads until the server ends the stream; the timeout of the class limits it. */
    static boolean ends(InputStream stream) {
        try {
            while (stream.read() >= 0) {
                // what was sent before
            }
            return true;
        } catch (java.io.IOException e) {
            return true;
        }
    }

    @Test
    void reviewTellsWhoseTokenItIs() throws Exception {
        create("reviewed");
        HttpsClient.Answer other = request("reviewed", "\"audiences\": [\"https://other\"]");
        String token = other.json().at("/status/token").asString();
        String review = "{\"spec\": {\"token\": \"%s\"%s}}";

        HttpsClient.Answer right =
                owner.post(
                        REVIEWS, review.formatted(token, ", \"audiences\": [\"https://other\"]"));
        HttpsClient.Answer wrong = owner.post(REVIEWS, review.formatted(token, ""));

        assertThat(right.code()).isEqualTo(201);
        assertThat(right.json().at("/status/authenticated").asBoolean()).isTrue();
        assertThat(right.json().at("/status/user/username").asString())
                .isEqualTo("system:serviceaccount:default:reviewed");
        assertThat(right.json().at("/status/audiences/0").asString()).isEqualTo("https://other");
        assertThat(right.text()).doesNotContain(token);
        assertThat(wrong.code()).isEqualTo(201);
        assertThat(wrong.json().at("/status/authenticated").asBoolean()).isFalse();
        assertThat(wrong.json().at("/status/error").asString()).contains("another audience");
        assertThat(owner.post(REVIEWS, review.formatted("nonsense", "")).text())
                .contains("invalid bearer token");
        assertThat(owner.post(REVIEWS, "{}").code()).isEqualTo(400);
    }

    @Test
    void accountCanBeImpersonatedByThoseWhoMay() throws Exception {
        create("actor");
        String as = "system:serviceaccount:default:actor";
        orlojd.bind("eve", "edit", "default");
        HttpsClient eve = orlojd.user("eve");
        String reviews = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

        await().until(() -> eve.post(reviews, "{}", "Impersonate-User", as).code() == 201);
        assertThat(eve.post(reviews, "{}", "Impersonate-User", as).text())
                .contains("system:serviceaccounts:default");
        assertThat(
                        eve.post(
                                        reviews,
                                        "{}",
                                        "Impersonate-User",
                                        "system:serviceaccount:other:actor")
                                .code())
                .isEqualTo(403);
    }

    @Test
    void secretsForTokensAreRefused() throws Exception {
        HttpsClient.Answer refused =
                owner.post(
                        "/api/v1/namespaces/default/secrets",
                        """
                        {"metadata": {"name": "legacy"}, "type": "kubernetes.io/service-account-token"}\
                        """);

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains("kubectl create token");
    }

    /** A second replica of the database has its own authorities, and the same tokens. */
    @Test
    void replicasShareTheKeysOfTokens(@TempDir Path elsewhere) throws Exception {
        create("everywhere");
        String token = token("everywhere");
        try (HttpsOrlojd other = HttpsOrlojd.start(database, elsewhere, Map.of())) {
            HttpsClient client = other.bearer(token);
            assertThat(whoami(client).path("username").asString())
                    .isEqualTo("system:serviceaccount:default:everywhere");

            owner.send("DELETE", ACCOUNTS + "/everywhere", "");

            await().atMost(Duration.ofSeconds(60)).until(() -> client.get("/api").code() == 401);
        }
    }
}
