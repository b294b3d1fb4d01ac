package dev.orloj.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;
import dev.orloj.server.testing.TracingServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** I-04: a right that is taken away ends what is in progress because of it. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RevokedRightsTest {

    private static final String TOOL = RestClient.collection("default", "tools") + "/one--slow";
    private static final String MUCH_LATER = "{\"arguments\": {\"seconds\": 250}}";
    private static final String SLOW =
            "{\"name\": \"one__slow\", \"arguments\": {\"seconds\": 250}}";

    /** Asks its client in the middle of a call, and leaves a trace of its end. */
    private static final String ASKING =
            """
            import json, sys
            def send(message):
                message["jsonrpc"] = "2.0"
                print(json.dumps(message), flush=True)
            for line in sys.stdin:
                message = json.loads(line)
                id, method, params = message.get("id"), message.get("method"), message.get("params")
                if method == "initialize":
                    send({"id": id, "result": {"protocolVersion": params["protocolVersion"],
                          "capabilities": {"tools": {}}, "serverInfo": {"name": "a", "version": "1"}}})
                elif method == "tools/list":
                    send({"id": id, "result": {"tools":
                          [{"name": "ask", "inputSchema": {"type": "object"}}]}})
                elif method == "tools/call":
                    send({"id": "q", "method": "elicitation/create", "params":
                          {"message": "?", "requestedSchema": {"type": "object", "properties": {}}}})
                elif method == "notifications/cancelled":
                    open(sys.argv[1] + "/given-up", "a").close()
                elif id is not None and method is not None:
                    send({"id": id, "result": {}})
            """;

    @TempDir static Path data;
    @TempDir static Path folder;

    private TestPostgres.Database database;
    private HttpsOrlojd orlojd;
    private TracingServer server;

    @BeforeAll
    void start() throws Exception {
        database = TestPostgres.freshDatabase();
        orlojd = HttpsOrlojd.start(database, data, Map.of("orloj.mcp.expose-sse", true));
        server = TracingServer.in(folder);
        Path program = Files.writeString(folder.resolve("ask.py"), ASKING);
        RestClient client = orlojd.orlojd().client();
        client.create("default", "mcpservers", server.manifest());
        client.create(
                "default",
                "mcpservers",
                RunningOrlojd.stdio(
                        "asking",
                        List.of("python3", "-S", program.toString(), folder.toString()),
                        "bridge: {elicitation: park}"));
        HttpsClient owner = orlojd.owner();
        await().atMost(Duration.ofSeconds(60))
                .until(() -> new McpUser(owner, "/mcp").tools().size() == 8);
    }

    @AfterAll
    void stop() {
        orlojd.close();
        database.close();
    }

    /** A user who may call some tools. */
    private McpUser caller(String name, String... tools) throws Exception {
        orlojd.grant(name, "call", "tools", tools);
        McpUser user = new McpUser(orlojd.user(name), "/mcp");
        await().until(() -> user.tools().size() == tools.length);
        return user;
    }

    private void awaitBegun(int calls) {
        await().atMost(Duration.ofSeconds(30)).until(() -> server.trace("began").size() == calls);
    }

    @Test
    void lostCallEndsLikeThatOfAnAbsentTool() throws Exception {
        McpUser ann = caller("ann", "one--slow", "one--who");
        McpUser inSession = ann.initialized("2025-11-25");
        int before = server.trace("began").size();
        int cancelled = server.trace("cancelled").size();
        CompletableFuture<HttpsClient.Answer> first = ann.begin("tools/call", SLOW);
        CompletableFuture<HttpsClient.Answer> second = inSession.begin("tools/call", SLOW);
        awaitBegun(before + 2);

        orlojd.revoke("ann", "call");

        for (CompletableFuture<HttpsClient.Answer> call : List.of(first, second)) {
            assertThat(call).succeedsWithin(Duration.ofSeconds(30));
            assertThat(McpUser.message(call.join()).at("/error/message").asString())
                    .isEqualTo("Unknown: \"one__slow\"");
        }
        await().until(() -> server.trace("cancelled").size() == cancelled + 2);
    }

    @Test
    void parkedCallEndsWithTheRightToItsTool() throws Exception {
        McpUser ben = caller("ben", "asking--ask");
        String ask = "{\"name\": \"asking__ask\", \"arguments\": {}}";
        JsonNode parked = ben.result("tools/call", ask);
        assertThat(parked.path("resultType").asString())
                .as(parked.toString())
                .isEqualTo("input_required");

        orlojd.revoke("ben", "call");

        await().atMost(Duration.ofSeconds(30))
                .until(() -> Files.exists(folder.resolve("given-up")));
        JsonNode back =
                ben.result(
                        "tools/call",
                        """
                        {"name": "asking__ask", "arguments": {}, "requestState": %s,
                         "inputResponses": {}}\
                        """
                                .formatted(parked.path("requestState")));
        assertThat(back.path("message").asString()).isEqualTo("Unknown: \"asking__ask\"");
    }

    /** No client waits for the call, so there is no request to end. */
    @Test
    void keptCallEndsWithTheRightToItsTool() throws Exception {
        McpUser cay = caller("cay", "one--slow");
        int before = server.trace("began").size();
        HttpsClient.Answer begun =
                cay.client().post(TOOL + "/call", MUCH_LATER, "Prefer", "respond-async");
        assertThat(begun.code()).as(begun.text()).isEqualTo(202);
        awaitBegun(before + 1);
        int cancelled = server.trace("cancelled").size();

        orlojd.revoke("cay", "call");

        await().atMost(Duration.ofSeconds(30))
                .until(() -> server.trace("cancelled").size() == cancelled + 1);
    }

    @Test
    void changedRightsAreAnnouncedAndTheLastOneEndsTheSession() throws Exception {
        McpUser dan = caller("dan", "one--who");
        McpUser session = dan.initialized("2025-06-18");
        try (BufferedReader stream = session.follow();
                BufferedReader listen =
                        dan.open(
                                "subscriptions/listen",
                                "{\"notifications\": {\"toolsListChanged\": true,"
                                        + " \"promptsListChanged\": true}}")) {
            assertThat(next(listen)).contains("acknowledged");
            orlojd.grant("dan", "connect", "mcpservers", "one");

            assertThat(next(stream)).contains("notifications/prompts/list_changed");
            assertThat(next(listen)).contains("notifications/prompts/list_changed");

            orlojd.revoke("dan", "call");
            assertThat(until(stream, "notifications/tools/list_changed")).isTrue();
            assertThat(until(listen, "notifications/tools/list_changed")).isTrue();
            assertThat(session.tools()).isEmpty();

            orlojd.revoke("dan", "connect");
            assertThat(until(stream, "nothing of the kind")).isFalse();
            assertThat(until(listen, "nothing of the kind")).isFalse();
        }
        assertThat(session.ask("tools/list", "{}").code()).isEqualTo(404);
        assertThat(dan.initialized("2025-06-18").tools()).isEmpty();
    }

    /** Returns the next message of a stream. */
    private static String next(BufferedReader stream) throws IOException {
        String line = "";
        while (line != null && !line.startsWith("data: {")) {
            line = stream.readLine();
        }
        return String.valueOf(line);
    }

    /** Reads up to a message; false when the stream ends before it. */
    private static boolean until(BufferedReader stream, String what) throws IOException {
        try {
            String line = stream.readLine();
            while (line != null && !line.contains(what)) {
                line = stream.readLine();
            }
            return line != null;
        } catch (IOException e) {
            return false;
        }
    }

    /** The request of a web socket is over when it begins. */
    @Test
    void watchOverAWebSocketEndsWithItsRight() throws Exception {
        orlojd.bind("eve", "view");
        HttpsClient eve = orlojd.user("eve");
        String tools = RestClient.collection("default", "tools");
        await().until(() -> eve.get(tools).code() == 200);
        CompletableFuture<Integer> closed = new CompletableFuture<>();
        eve.openWebSocket(
                tools + "?watch=true",
                new WebSocket.Listener() {
                    @Override
                    public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
                        closed.complete(code);
                        return CompletableFuture.completedFuture(null);
                    }

                    @Override
                    public void onError(WebSocket socket, Throwable error) {
                        closed.completeExceptionally(error);
                    }
                });

        HttpsClient.Answer deleted =
                orlojd.owner()
                        .send("DELETE", HttpsOrlojd.RBAC + "clusterrolebindings/eve-view", "");
        assertThat(deleted.code()).isEqualTo(200);

        assertThat(closed).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(1000);
    }
}
