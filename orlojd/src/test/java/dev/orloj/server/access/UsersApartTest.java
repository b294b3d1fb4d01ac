package dev.orloj.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.TracingServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Two users with the same rights, each of whom knows what is the other's. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UsersApartTest {

    private static final String TOOL = RestClient.collection("default", "tools") + "/one--slow";
    private static final String SOON = "{\"arguments\": {\"seconds\": 0.01}}";
    private static final String MUCH_LATER = "{\"arguments\": {\"seconds\": 120}}";
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
    private HttpsOrlojd orlojd;
    private HttpsClient ann;
    private HttpsClient ben;

    @BeforeAll
    void start() throws Exception {
        database = TestPostgres.freshDatabase();
        orlojd = HttpsOrlojd.start(database, data, Map.of("orloj.mcp.expose-sse", true));
        orlojd.bind("ann", "caller");
        orlojd.bind("ben", "caller");
        ann = orlojd.user("ann");
        ben = orlojd.user("ben");
        orlojd.orlojd()
                .client()
                .create("default", "mcpservers", TracingServer.in(folder).manifest());
        for (HttpsClient user : new HttpsClient[] {ann, ben}) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> user.post(TOOL + "/call", SOON).code() == 200);
        }
    }

    @AfterAll
    void stop() {
        orlojd.close();
        database.close();
    }

    /** Mistakes 1 and 2: a session belongs to its user. */
    @Test
    void sessionOfAnotherUserIsUnknown() throws Exception {
        HttpsClient.Answer opened = ann.post("/mcp", INITIALIZE, "Accept", BOTH);
        String session = opened.header("Mcp-Session-Id");
        String[] headers = {"Accept", BOTH, "Mcp-Session-Id", session};

        assertThat(opened.code()).as(opened.text()).isEqualTo(200);
        assertThat(ben.post("/mcp", LIST, headers).code()).isEqualTo(404);
        assertThat(ben.get("/mcp", "Accept", "text/event-stream", "Mcp-Session-Id", session).code())
                .isEqualTo(404);
        assertThat(ben.send("DELETE", "/mcp", "", headers).code()).isEqualTo(404);
        assertThat(orlojd.owner().post("/mcp", LIST, headers).code()).isEqualTo(404);
        assertThat(orlojd.user("ann", "another-certificate").post("/mcp", LIST, headers).code())
                .isEqualTo(200);
        assertThat(ann.post("/mcp", LIST, headers).text()).contains("one__slow");
    }

    @Test
    void streamOfAnotherUserTakesNoMessages() throws Exception {
        try (InputStream stream = ann.open("/mcp/default/sse", "Accept", "text/event-stream");
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            String path = "";
            while (!path.startsWith("data: ")) {
                path = lines.readLine();
            }
            String messages = path.substring("data: ".length());

            assertThat(ben.post(messages, INITIALIZE).code()).isEqualTo(404);
            assertThat(ann.post(messages, INITIALIZE).code()).isEqualTo(202);
        }
    }

    /** Mistake 10: what is kept is kept for one user, and so is the key of a call. */
    @Test
    void keptCallOfAnotherUserIsUnknown() throws Exception {
        String[] order = {"Prefer", "respond-async", "Idempotency-Key", "same"};

        HttpsClient.Answer begun = ann.post(TOOL + "/call", MUCH_LATER, order);
        String location = begun.header("Location");
        HttpsClient.Answer other = ben.post(TOOL + "/call", MUCH_LATER, order);

        assertThat(begun.code()).as(begun.text()).isEqualTo(202);
        assertThat(other.header("Location")).isNotEqualTo(location);
        assertThat(ben.get(location).code()).isEqualTo(404);
        assertThat(ben.send("DELETE", location, "").code()).isEqualTo(404);
        assertThat(ann.get(location).json().path("state").asString()).isEqualTo("Running");
        assertThat(ann.send("DELETE", location, "").code()).isEqualTo(202);
        assertThat(ben.send("DELETE", other.header("Location"), "").code()).isEqualTo(202);
    }

    @Test
    void callNamesItsUser() throws Exception {
        ann.post(TOOL + "/call", SOON);

        assertThat(orlojd.owner().get("/apis/orloj.dev/v1/namespaces/default/calls").text())
                .contains("\"caller\":\"ann\"");
    }
}
