package dev.orloj.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.FakeHttpServer;
import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What callers of a server that is not accepted learn of its manifest. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RefusedServerTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String SECRET = "crown-jewels";
    private static final String REASON = "was not accepted (SecretNotFound)";

    @TempDir static Path data;

    private TestPostgres.Database database;
    private HttpsOrlojd orlojd;
    private FakeHttpServer upstream;

    @BeforeAll
    void start() throws Exception {
        upstream = FakeHttpServer.start(FakeScript.wellBehaved().features());
        database = TestPostgres.freshDatabase();
        orlojd = HttpsOrlojd.start(database, data, Map.of());
        orlojd.bind("caller", "caller");
        orlojd.bind("reader", "caller");
        orlojd.bind("reader", "view");
        RestClient owner = orlojd.orlojd().client();
        owner.create("default", "mcpservers", RunningOrlojd.http("up", upstream.endpoint(), ""));
        for (String user : List.of("caller", "reader")) {
            HttpsClient client = orlojd.user(user);
            await().atMost(TIMEOUT).until(() -> CallErrors.call(client, "up--echo").code() == 200);
        }
        owner.patch(
                        RestClient.collection("default", "mcpservers") + "/up",
                        "{\"spec\": {\"auth\": {\"secretRef\": \"%s\"}}}".formatted(SECRET))
                .expect(200);
        orlojd.orlojd().awaitCondition("default", "up", "Accepted", "False");
        await().atMost(TIMEOUT)
                .until(() -> owner.call("default", "up--echo", "{}").text().contains(REASON));
    }

    @AfterAll
    void stop() {
        orlojd.close();
        database.close();
        upstream.close();
    }

    private List<String> errors(String user) throws Exception {
        return CallErrors.ofServer(orlojd.user(user), "up");
    }

    @Test
    void userWhoMayGetTheServerLearnsTheCause() throws Exception {
        assertThat(errors("reader"))
                .allSatisfy(error -> assertThat(error).contains(REASON + ": ", SECRET));
    }

    @Test
    void userWhoMayNotGetTheServerLearnsTheReasonAndNothingOfTheManifest() throws Exception {
        assertThat(
                        orlojd.user("caller")
                                .get(RestClient.collection("default", "mcpservers") + "/up")
                                .code())
                .isEqualTo(403);

        assertThat(errors("caller"))
                .allSatisfy(
                        error ->
                                assertThat(error)
                                        .contains(
                                                REASON
                                                        + "; a user who may get the McpServer finds"
                                                        + " the cause in its status")
                                        .doesNotContain(
                                                SECRET, upstream.endpoint().getAuthority()));
    }
}
