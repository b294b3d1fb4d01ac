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

import tools.jackson.databind.JsonNode;

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
    private static final String WHO = RestClient.collection("default", "tools") + "/apart--who";
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
    @TempDir static Path apartFolder;

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
        orlojd.orlojd()
                .client()
                .create(
                        "default",
                        "mcpservers",
                        TracingServer.in(apartFolder)
                                .manifest("session_scope: agent", "max_output_bytes: 4")
                                .replace("{name: one}", "{name: apart}"));
        for (HttpsClient user : new HttpsClient[] {ann, ben}) {
            for (String tool : new String[] {TOOL, WHO.replace("who", "slow")}) {
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> user.post(tool + "/call", SOON).code() == 200);
            }
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
        assertThat(ben.post("/mcp", LIST, headers).text())
                .as("no more than of a session that never was")
                .isEqualTo(ben.post("/mcp", LIST, "Accept", BOTH, "Mcp-Session-Id", "none").text());
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

    /** Mistake 3: a process that serves one user never serves another. */
    @Test
    void serverWithASessionForEachAgentHasOneForEachUser() throws Exception {
        String ofAnn = process(ann);
        String ofBen = process(ben);

        assertThat(process(ann)).isEqualTo(ofAnn);
        assertThat(process(ben)).isEqualTo(ofBen).isNotEqualTo(ofAnn);
        assertThat(processOverMcp(ann)).isEqualTo(ofAnn);
        assertThat(processOverMcp(ben)).isEqualTo(ofBen);
        assertThat(processInASession(ann)).isNotEqualTo(ofBen);
        assertThat(processInASession(ben)).isNotEqualTo(ofAnn);
    }

    /** Returns the beginning of the name of the process that served the call. */
    private static String process(HttpsClient user) throws Exception {
        return text(user.post(WHO + "/call", "{}").json());
    }

    private static String processOverMcp(HttpsClient user) throws Exception {
        return text(new McpUser(user, "/mcp").result("tools/call", "{\"name\": \"apart__who\"}"));
    }

    private static String processInASession(HttpsClient user) throws Exception {
        return text(
                new McpUser(user, "/mcp")
                        .initialized("2025-06-18")
                        .result("tools/call", "{\"name\": \"apart__who\"}"));
    }

    private static String text(JsonNode result) {
        String text = result.at("/content/0/text").asString();
        assertThat(text).as(result.toString()).hasSizeGreaterThan(4);
        return text.substring(0, 4);
    }

    /** Mistake 10: the rest of a long result, whole and by pages. */
    @Test
    void keptResultOfAnotherUserIsUnknown() throws Exception {
        JsonNode result = ann.post(WHO + "/call", "{}").json();
        String path =
                WHO
                        + "/results/"
                        + result.path("_meta").at("/orloj.dev~1truncated/result").asString();

        assertThat(ann.get(path).code()).as(result.toString()).isEqualTo(200);
        assertThat(ann.get(path + "?offset=4&limit=4").code()).isEqualTo(200);
        for (String page : new String[] {"", "?offset=0", "?offset=4&limit=4"}) {
            assertThat(ben.get(path + page).code()).isEqualTo(404);
            assertThat(orlojd.user("stranger").get(path + page).code()).isEqualTo(403);
        }
    }

    /** Mistake 11: what every client and monitoring can read names no session and no user. */
    @Test
    void probesAndMetricsNameNoSession() throws Exception {
        McpUser session = new McpUser(ann, "/mcp").initialized("2025-06-18");
        session.tools();

        for (String path : new String[] {"/healthz?verbose", "/readyz?verbose", "/metrics"}) {
            HttpsClient.Answer answer = orlojd.owner().get(path);
            assertThat(answer.code()).as(path).isEqualTo(200);
            assertThat(answer.text()).doesNotContain(session.session(), "\"ann\"");
        }
    }

    @Test
    void callNamesItsUser() throws Exception {
        ann.post(TOOL + "/call", SOON);

        assertThat(orlojd.owner().get("/apis/orloj.dev/v1/namespaces/default/calls").text())
                .contains("\"caller\":\"ann\"");
    }
}
