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

/** What callers of a server, or a declared tool, that does not connect learn of its address. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UnreachableServerTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String ASK =
            "; a user who may get the McpServer finds the cause in its status or in the error of"
                    + " the same call";

    @TempDir static Path data;

    private TestPostgres.Database database;
    private HttpsOrlojd orlojd;
    private String address;

    /** The tool "weather" is declared; the breaker of the server "tripped" is open. */
    @BeforeAll
    void start() throws Exception {
        database = TestPostgres.freshDatabase();
        orlojd = HttpsOrlojd.start(database, data, Map.of());
        orlojd.bind("caller", "caller");
        orlojd.bind("reader", "caller");
        orlojd.bind("reader", "view");
        orlojd.grant("agent", "call", "tools", "weather");
        orlojd.grant("agent", "get", "tools/calls", "weather");
        RestClient owner = orlojd.orlojd().client();
        HttpsClient caller = orlojd.user("caller");
        try (FakeHttpServer upstream = FakeHttpServer.start(FakeScript.wellBehaved().features())) {
            address = upstream.endpoint().getAuthority();
            owner.create(
                    "default", "mcpservers", RunningOrlojd.http("up", upstream.endpoint(), ""));
            owner.create(
                    "default",
                    "mcpservers",
                    RunningOrlojd.http(
                            "tripped",
                            upstream.endpoint(),
                            "circuit_breaker: {failures: 1, open_for: 1h}"));
            owner.create(
                    "default",
                    "tools",
                    """
                    apiVersion: orloj.dev/v1
                    kind: Tool
                    metadata: {name: weather}
                    spec: {type: http, endpoint: "http://%s/w"}
                    """
                            .formatted(address));
            for (String tool : List.of("up--echo", "tripped--echo")) {
                await().atMost(TIMEOUT).until(() -> CallErrors.call(caller, tool).code() == 200);
            }
        }
        await().atMost(TIMEOUT)
                .until(
                        () ->
                                CallErrors.call(caller, "tripped--echo")
                                        .text()
                                        .contains("circuit_breaker is open"));
        await().atMost(TIMEOUT).until(() -> CallErrors.call(caller, "weather").code() == 503);
    }

    @AfterAll
    void stop() {
        orlojd.close();
        database.close();
    }

    @Test
    void userWhoMayGetTheServerLearnsTheCause() throws Exception {
        assertThat(CallErrors.ofServer(orlojd.user("reader"), "up"))
                .allSatisfy(error -> assertThat(error).contains("is unavailable: ", address));
        assertThat(CallErrors.ofServer(orlojd.user("reader"), "tripped"))
                .allSatisfy(
                        error ->
                                assertThat(error)
                                        .contains(
                                                "circuit_breaker is open",
                                                "the last one failed: "));
    }

    @Test
    void userWhoMayNotGetTheServerLearnsThatItIsUnavailableAndNotItsAddress() throws Exception {
        assertThat(CallErrors.ofServer(orlojd.user("caller"), "up"))
                .allSatisfy(
                        error ->
                                assertThat(error)
                                        .contains("is unavailable" + ASK + "; the ")
                                        .contains("carried out")
                                        .doesNotContain(address, "onnect"));
    }

    @Test
    void openCircuitBreakerDoesNotRepeatTheCauseForThem() throws Exception {
        assertThat(CallErrors.ofServer(orlojd.user("caller"), "tripped"))
                .allSatisfy(
                        error ->
                                assertThat(error)
                                        .contains("lost within 60 s" + ASK + "; try again in ")
                                        .doesNotContain(address, "the last one", "onnect"));
    }

    @Test
    void addressOfADeclaredToolIsForUsersWhoMayGetTheTool() throws Exception {
        assertThat(CallErrors.ofTool(orlojd.user("caller"), "weather"))
                .allSatisfy(error -> assertThat(error).contains("is unavailable: ", address));
        assertThat(CallErrors.ofTool(orlojd.user("agent"), "weather"))
                .allSatisfy(
                        error ->
                                assertThat(error)
                                        .contains("is unavailable; a user who may get the Tool")
                                        .doesNotContain(address, "onnect"));
    }
}
