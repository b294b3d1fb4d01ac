package dev.orloj.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeHttpServer.Answer;
import dev.orloj.runtime.testkit.FakeScript;
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

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import javax.net.ssl.SSLContext;

/** What a server sees of the client whose request it gets. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UpstreamRequestsTest {

    private static final String SERVER = "/mcp/default/mcpservers/up";
    private static final String CALL = RestClient.collection("default", "tools") + "/up--echo/call";
    private static final String NAME = "eve-of-proxy";

    @TempDir static Path data;

    private TestPostgres.Database database;
    private HttpsOrlojd orlojd;
    private FakeHttpServer upstream;
    private FakeHttpServer elsewhere;
    private String token;

    @BeforeAll
    void start() throws Exception {
        upstream = FakeHttpServer.start(FakeScript.wellBehaved().sessions().features());
        elsewhere = FakeHttpServer.start(FakeScript.wellBehaved());
        database = TestPostgres.freshDatabase();
        orlojd = HttpsOrlojd.start(database, data, Map.of());
        orlojd.bind("ann", "caller");
        token =
                orlojd.owner()
                        .post(
                                "/apis/orloj.dev/v1/usertokens",
                                "{\"metadata\": {\"name\": \"t\"}, \"spec\": {\"user\": \"ann\"}}")
                        .json()
                        .at("/status/token")
                        .asString();
        orlojd.orlojd()
                .client()
                .create("default", "mcpservers", RunningOrlojd.http("up", upstream.endpoint(), ""));
        HttpsClient ann = ann();
        await().atMost(Duration.ofSeconds(60))
                .until(() -> ann.post(CALL, "{\"arguments\": {}}").code() == 200);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> !new McpUser(ann, SERVER).list("prompts", "name").isEmpty());
    }

    @AfterAll
    void stop() {
        orlojd.close();
        database.close();
        upstream.close();
        elsewhere.close();
    }

    /** A user who also sends the headers of another one. */
    private HttpsClient ann() throws Exception {
        return claiming(orlojd.bearer(token));
    }

    private static HttpsClient claiming(HttpsClient client) {
        return client.with(
                "X-Forwarded-User", NAME,
                "X-User", NAME,
                "X-Remote-User", NAME,
                "X-Auth-Request-Email", NAME,
                "X-Remote-Group", "orloj:administrators",
                "X-Forwarded-For", "10.9.8.7",
                "Cookie", "session=" + NAME);
    }

    private void ask(McpUser user) throws Exception {
        for (Map.Entry<String, String> method : McpUser.METHODS_OF_SERVERS.entrySet()) {
            int before = upstream.received(method.getKey()).size();
            JsonNode answer = McpUser.message(user.ask(method.getKey(), method.getValue()));

            assertThat(answer.has("result")).as(method.getKey() + answer).isTrue();
            assertThat(upstream.received(method.getKey())).hasSizeGreaterThan(before);
        }
    }

    private static void assertNothingOfTheClient(FakeHttpServer server, String secret) {
        assertThat(server.received())
                .allSatisfy(
                        request -> {
                            assertThat(request.headers())
                                    .doesNotContainKeys(
                                            "authorization",
                                            "cookie",
                                            "x-user",
                                            "x-remote-user",
                                            "x-remote-group",
                                            "x-auth-request-email",
                                            "x-forwarded-user",
                                            "x-forwarded-for");
                            assertThat(request.toString()).doesNotContain(secret, NAME);
                        });
    }

    @Test
    @DisplayName("Mistakes 5 and 12: no server gets a token of ours, on any method")
    void noMethodCarriesTheTokenOfTheClient() throws Exception {
        ask(new McpUser(ann(), SERVER));
        for (String revision : List.of("2025-03-26", "2025-06-18", "2025-11-25")) {
            ask(new McpUser(ann(), SERVER).initialized(revision));
        }
        assertThat(ann().post(CALL, "{\"arguments\": {}}").code()).isEqualTo(200);

        assertNothingOfTheClient(upstream, token);
    }

    @Test
    @DisplayName(
            "Mistake 5: no server gets a token of ours when a request is repeated or redirected")
    void noRetryAndNoRedirectCarriesTheTokenOfTheClient() throws Exception {
        upstream.forgetSessions();
        ask(new McpUser(ann(), SERVER));

        for (int status : new int[] {307, 308}) {
            upstream.answerNext(
                    "tools/call",
                    new Answer(status, Map.of("Location", upstream.endpoint() + "?again"), ""));
            assertThat(ann().post(CALL, "{\"arguments\": {}}").code()).isEqualTo(200);
            upstream.answerNext(
                    "tools/call",
                    new Answer(status, Map.of("Location", elsewhere.endpoint().toString()), ""));
            ann().post(CALL, "{\"arguments\": {}}");
        }

        assertThat(upstream.received()).anyMatch(request -> request.toString().contains("?again"));
        assertThat(elsewhere.received()).isEmpty();
        assertNothingOfTheClient(upstream, token);
    }

    /** With {@code --insecure-allow-anonymous}, there is no user of our own to send either. */
    @Test
    @DisplayName("Mistake 12: a header of a proxy is not forwarded for an anonymous client")
    void nameOfAnAnonymousClientIsNotForwarded() throws Exception {
        HttpsClient anonymous =
                claiming(new HttpsClient(orlojd.orlojd().client().url(), SSLContext.getDefault()));

        ask(new McpUser(anonymous, SERVER));
        JsonNode self =
                anonymous
                        .post("/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}")
                        .json()
                        .at("/status/userInfo");

        assertThat(self.toString()).doesNotContain(NAME);
        assertNothingOfTheClient(upstream, token);
    }
}
