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
import org.springframework.jdbc.core.simple.JdbcClient;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import javax.sql.DataSource;

/** Bearer tokens that administrators create for users. */
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UserTokenTest {

    private static final String TOKENS = "/apis/orloj.dev/v1/usertokens";
    private static final String TOOLS = "/apis/orloj.dev/v1/namespaces/default/tools";

    @TempDir static Path data;

    private TestPostgres.Database database;
    private HttpsOrlojd orlojd;
    private HttpsClient owner;

    @BeforeAll
    void start() throws Exception {
        database = TestPostgres.freshDatabase();
        orlojd = HttpsOrlojd.start(database, data, Map.of());
        owner = orlojd.owner();
        orlojd.bind("viewer", "view");
        HttpsClient.Answer role =
                owner.post(
                        HttpsOrlojd.RBAC + "clusterroles",
                        """
                        {"metadata": {"name": "token-maker"}, "rules": [
                          {"verbs": ["create", "get", "list", "delete"], "apiGroups": ["orloj.dev"], "resources": ["usertokens"]},
                          {"verbs": ["impersonate"], "apiGroups": [""], "resources": ["groups"], "resourceNames": ["web"]},
                          {"verbs": ["impersonate"], "apiGroups": [""], "resources": ["users"], "resourceNames": ["agent"]}]}\
                        """);
        assertThat(role.code()).as(role.text()).isEqualTo(201);
        orlojd.bind("maker", "token-maker");
        orlojd.bind("agent", "token-maker");
        HttpsClient maker = orlojd.user("maker");
        await().until(() -> maker.get(TOKENS).code() == 200);
    }

    @AfterAll
    void stop() {
        orlojd.close();
        database.close();
    }

    private static HttpsClient.Answer create(HttpsClient client, String name, String spec)
            throws Exception {
        return client.post(
                TOKENS, "{\"metadata\": {\"name\": \"%s\"}, \"spec\": {%s}}".formatted(name, spec));
    }

    private String token(String name, String spec) throws Exception {
        HttpsClient.Answer created = create(owner, name, spec);
        assertThat(created.code()).as(created.text()).isEqualTo(201);
        return created.json().at("/status/token").asString();
    }

    @Test
    void tokenIsThatOfItsUserAndShownOnce() throws Exception {
        String token = token("once", "\"user\": \"ann\", \"groups\": [\"web\"]");

        String user =
                orlojd.bearer(token)
                        .post("/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}")
                        .text();
        assertThat(token).matches("orlojt_[0-9A-Za-z]{49}");
        assertThat(user)
                .contains("\"username\":\"ann\"")
                .contains("[\"web\",\"system:authenticated\"]");
        assertThat(owner.get(TOKENS).text()).contains("\"once\"").doesNotContain(token);
        assertThat(owner.get(TOKENS + "/once").text())
                .contains("lastUsedTime")
                .doesNotContain(token);
        assertThat(storedText()).contains("once").doesNotContain(token);
    }

    private String storedText() {
        return JdbcClient.create(orlojd.orlojd().part(DataSource.class))
                .sql("SELECT to_jsonb(t)::text FROM user_token t")
                .query(String.class)
                .list()
                .toString();
    }

    @Test
    void revokedTokenEndsItsOpenWatchToo() throws Exception {
        HttpsClient client = orlojd.bearer(token("watching", "\"user\": \"viewer\""));
        await().until(() -> client.get(TOOLS).code() == 200);
        try (InputStream watch = client.open(TOOLS + "?watch=true", "Accept", "application/json")) {
            assertThat(owner.send("DELETE", TOKENS + "/watching", "").code()).isEqualTo(200);

            assertThat(client.get("/api").code()).isEqualTo(401);
            assertThat(ServiceAccountTokenTest.ends(watch)).isTrue();
        }
        assertThat(owner.send("DELETE", TOKENS + "/watching", "").message())
                .isEqualTo("usertokens.orloj.dev \"watching\" not found");
    }

    @Test
    void revocationOnOneReplicaCountsOnTheOther(@TempDir Path elsewhere) throws Exception {
        String token = token("everywhere", "\"user\": \"viewer\"");
        try (HttpsOrlojd other = HttpsOrlojd.start(database, elsewhere, Map.of())) {
            HttpsClient client = other.bearer(token);
            await().until(() -> client.get(TOOLS).code() == 200);
            try (InputStream watch =
                    client.open(TOOLS + "?watch=true", "Accept", "application/json")) {
                owner.send("DELETE", TOKENS + "/everywhere", "");

                assertThat(ServiceAccountTokenTest.ends(watch)).isTrue();
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> client.get("/api").code() == 401);
            }
        }
    }

    /** Mistake 8: who creates a token gains no rights by it. */
    @Test
    void tokenIsNoWiderThanItsCreator() throws Exception {
        HttpsClient maker = orlojd.user("maker", "team");

        assertThat(create(maker, "a1", "\"user\": \"agent\", \"groups\": [\"web\"]").code())
                .isEqualTo(201);
        assertThat(create(maker, "a2", "\"user\": \"maker\", \"groups\": [\"team\"]").code())
                .isEqualTo(201);
        HttpsClient.Answer user = create(maker, "a3", "\"user\": \"ann\"");
        HttpsClient.Answer group =
                create(maker, "a4", "\"user\": \"agent\", \"groups\": [\"orloj:administrators\"]");
        assertThat(user.code()).isEqualTo(403);
        assertThat(user.message()).contains("User \"maker\" cannot impersonate resource \"users\"");
        assertThat(group.code()).isEqualTo(403);
        assertThat(group.message()).contains("groups \"orloj:administrators\" is forbidden");
        assertThat(create(maker, "a5", "\"user\": \"maker\", \"groups\": [\"web2\"]").code())
                .isEqualTo(403);
        assertThat(orlojd.user("viewer").post(TOKENS, "{}").code()).isEqualTo(403);
    }

    @Test
    void tokenOfATokenEndsWithIt() throws Exception {
        String day = "\"user\": \"agent\", \"expirationSeconds\": 86400";
        HttpsClient agent = orlojd.bearer(token("parent", day));
        HttpsClient.Answer longer =
                create(agent, "longer", "\"user\": \"agent\", \"expirationSeconds\": 90000");
        assertThat(longer.code()).isEqualTo(403);
        assertThat(longer.message()).contains("would outlive the credential of the request");
        HttpsClient.Answer child = create(agent, "child", "\"user\": \"agent\"");
        assertThat(child.code()).as(child.text()).isEqualTo(201);
        assertThat(child.json().at("/status/expirationTimestamp"))
                .isEqualTo(owner.get(TOKENS + "/parent").json().at("/status/expirationTimestamp"));
        HttpsClient grandchild = orlojd.bearer(child.json().at("/status/token").asString());
        assertThat(grandchild.get("/api").code()).isEqualTo(200);

        owner.send("DELETE", TOKENS + "/parent", "");

        assertThat(grandchild.get("/api").code()).isEqualTo(401);
        assertThat(owner.get(TOKENS + "/child").code()).isEqualTo(404);
    }

    @Test
    void boundsAreNamed() throws Exception {
        assertThat(create(owner, "b1", "\"user\": \"\"").message())
                .contains("spec.user: Required value");
        assertThat(create(owner, "b1", "\"user\": \"system:admin\"").message())
                .contains("spec.user: Invalid value: \"system:admin\"");
        assertThat(create(owner, "b1", "\"user\": \"a\", \"groups\": [\"system:masters\"]").code())
                .isEqualTo(422);
        assertThat(create(owner, "B_1", "\"user\": \"a\"").message()).contains("metadata.name");
        assertThat(create(owner, "b1", "\"user\": \"%s\"".formatted("a".repeat(257))).message())
                .contains("Too long");
        assertThat(create(owner, "b1", "\"user\": \"a\", \"expirationSeconds\": 31536001").code())
                .isEqualTo(422);
        assertThat(create(owner, "b1", "\"user\": \"a\", \"expirationSeconds\": 599").code())
                .isEqualTo(422);
        token("b1", "\"user\": \"a\"");
        assertThat(create(owner, "b1", "\"user\": \"a\"").message())
                .isEqualTo("usertokens.orloj.dev \"b1\" already exists");
        for (int i = 0; i < 49; i++) {
            token("many-" + i, "\"user\": \"a\"");
        }
        assertThat(create(owner, "b2", "\"user\": \"a\"").message())
                .contains("a user can have 50 tokens");
    }

    @Test
    void textThatWasNeverATokenIsRefused() throws Exception {
        String token = token("whole", "\"user\": \"ann\"");

        assertThat(orlojd.bearer(token + "x").get("/api").code()).isEqualTo(401);
        assertThat(orlojd.bearer("orlojt_").get("/api").code()).isEqualTo(401);
        assertThat(
                        orlojd.bearer(Files.readString(data.resolve("admin.token")).strip())
                                .get("/api")
                                .code())
                .isEqualTo(200);
    }
}
