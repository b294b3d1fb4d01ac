package dev.orloj.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.TracingServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * I-04: every list over MCP for its reader, and the rest answered as absent. Two servers, of which
 * each user may use another part.
 */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FilteredListsTest {

    private static final String TOOLS = "/apis/orloj.dev/v1/namespaces/default/tools";
    private static final String SERVER = "/mcp/default/mcpservers/";

    @TempDir static Path data;
    @TempDir static Path folder;

    private TestPostgres.Database database;
    private HttpsOrlojd orlojd;

    /** May call all tools and connect to all servers. */
    private HttpsClient everything;

    /** May call one tool of the server "one". */
    private HttpsClient one;

    /** May connect to the server "one", and call nothing. */
    private HttpsClient reader;

    /** Has no role. */
    private HttpsClient none;

    @BeforeAll
    void start() throws Exception {
        database = TestPostgres.freshDatabase();
        orlojd = HttpsOrlojd.start(database, data, Map.of("orloj.mcp.expose-sse", true));
        orlojd.bind("everything", "caller");
        orlojd.grant("one", "call", "tools", "one--who", "one--absent");
        orlojd.grant("reader", "connect", "mcpservers", "one");
        everything = orlojd.user("everything");
        one = orlojd.user("one");
        reader = orlojd.user("reader");
        none = orlojd.user("none");
        for (String name : List.of("one", "two")) {
            Path own = Files.createDirectory(folder.resolve(name));
            orlojd.orlojd()
                    .client()
                    .create(
                            "default",
                            "mcpservers",
                            TracingServer.in(own)
                                    .manifest()
                                    .replace("{name: one}", "{name: " + name + "}"));
        }
        orlojd.orlojd().createNamespace("other");
        await().atMost(Duration.ofSeconds(60))
                .until(
                        () ->
                                mcp(everything).tools().size() == 14
                                        && mcp(everything).list("prompts", "name").size() == 2
                                        && !mcp(one).tools().isEmpty());
    }

    @AfterAll
    void stop() {
        orlojd.close();
        database.close();
    }

    private static McpUser mcp(HttpsClient client) {
        return new McpUser(client, "/mcp");
    }

    @Test
    void userSeesTheToolsThatItMayCall() throws Exception {
        assertThat(mcp(one).tools()).containsExactly("one__who");
        assertThat(new McpUser(one, SERVER + "one").tools()).containsExactly("who");
        assertThat(mcp(one).initialized("2025-11-25").tools()).containsExactly("one__who");
        assertThat(mcp(reader).tools()).isEmpty();
        assertThat(mcp(none).tools()).isEmpty();
        assertThat(mcp(everything).tools()).hasSize(14);
    }

    @Test
    void userSeesThePromptsOfTheServersThatItMayConnectTo() throws Exception {
        assertThat(mcp(reader).list("prompts", "name")).containsExactly("one__p");
        assertThat(mcp(one).list("prompts", "name")).isEmpty();
        assertThat(mcp(none).list("prompts", "name")).isEmpty();
        assertThat(new McpUser(reader, SERVER + "one").list("prompts", "name"))
                .containsExactly("p");
        assertThat(new McpUser(one, SERVER + "one").ask("prompts/list", "{}").code())
                .isEqualTo(404);
    }

    @Test
    void userCallsTheToolsThatItSees() throws Exception {
        assertThat(mcp(one).result("tools/call", "{\"name\": \"one__who\"}").has("content"))
                .isTrue();
        assertThat(
                        mcp(reader)
                                .result("prompts/get", "{\"name\": \"one__p\"}")
                                .path("description")
                                .asString())
                .endsWith(" p");
    }

    /** What a user may not use is answered like what is absent, apart from its name. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tools/call | {'name': 'X', 'arguments': {}} | one__slow | one__nothing",
                "tools/call | {'name': 'X', 'arguments': {}} | two__who | absent__who",
                "prompts/get | {'name': 'X'} | one__p | absent__p",
                "resources/read | {'uri': 'X'} | orloj+one+file:///x | orloj+absent+file:///x",
                "completion/complete | {'ref': {'type': 'ref/prompt', 'name': 'X'}, 'argument':"
                        + " {'name': 'a', 'value': ''}} | one__p | absent__p"
            })
    void hiddenIsAnsweredLikeAbsent(String method, String params, String hidden, String absent)
            throws Exception {
        String form = params.replace('\'', '"');
        for (McpUser user : List.of(mcp(one), mcp(one).initialized("2025-06-18"))) {
            HttpsClient.Answer first = user.ask(method, form.replace("X", hidden));
            HttpsClient.Answer second = user.ask(method, form.replace("X", absent));

            assertThat(first.text()).contains("Unknown: \\\"" + hidden);
            assertThat(first.text().replace(hidden, absent)).isEqualTo(second.text());
            assertThat(first.code()).isEqualTo(second.code());
        }
    }

    @Test
    void hiddenEndpointIsAnsweredLikeAnAbsentOne() throws Exception {
        String[][] pairs = {
            {SERVER + "two", SERVER + "absent"},
            {"/mcp/other", "/mcp/absent"},
            {"/mcp/default/mcpservers/two/sse", "/mcp/default/mcpservers/absent/sse"},
            {"/mcp/other/sse", "/mcp/absent/sse"},
        };
        for (String[] pair : pairs) {
            for (String method : List.of("GET", "POST", "DELETE")) {
                HttpsClient.Answer hidden = one.send(method, pair[0], "{}");
                HttpsClient.Answer absent = one.send(method, pair[1], "{}");

                assertThat(hidden.code()).as(method + pair[0]).isEqualTo(404);
                assertThat(hidden.text()).isEqualTo(absent.text());
            }
        }
        HttpsClient.Answer chosen = new McpUser(one, "/mcp?servers=two").ask("tools/list", "{}");
        HttpsClient.Answer absent = new McpUser(one, "/mcp?servers=none").ask("tools/list", "{}");
        assertThat(chosen.code()).isEqualTo(404);
        assertThat(chosen.text().replace("two", "none")).isEqualTo(absent.text());
        assertThat(none.post(SERVER + "one", "{}").code()).isEqualTo(404);
        assertThat(everything.post("/mcp/other", "{}").code()).isEqualTo(400);
    }

    /** Mistake 9: the caches are warm from the reader who sees all. */
    @ParameterizedTest
    @ValueSource(strings = {"tools/list", "prompts/list", "resources/list", "server/discover"})
    void listIsPrivateToItsReader(String method) throws Exception {
        JsonNode all = mcp(everything).result(method, "{}");
        JsonNode own = mcp(one).result(method, "{}");
        JsonNode again = mcp(everything).result(method, "{}");

        assertThat(all.path("cacheScope").asString()).isEqualTo("private");
        assertThat(own.path("cacheScope").asString()).isEqualTo("private");
        assertThat(again).isEqualTo(all);
        assertThat(own.toString()).doesNotContain("two__", "one__p");
    }

    @Test
    void serverTellsOnlyThoseWhoMayConnectWhatItOffers() throws Exception {
        JsonNode own = new McpUser(one, SERVER + "one").result("server/discover", "{}");
        JsonNode all = new McpUser(reader, SERVER + "one").result("server/discover", "{}");

        assertThat(own.path("capabilities").propertyNames()).containsExactly("tools");
        assertThat(all.path("capabilities").propertyNames()).contains("tools", "prompts");
    }

    /** REST names the missing right, as Kubernetes does. */
    @Test
    void restIsNotFiltered() throws Exception {
        assertThat(one.get(TOOLS).code()).isEqualTo(403);
        assertThat(one.post(TOOLS + "/one--who/call", "{}").code()).isEqualTo(200);
        assertThat(one.post(TOOLS + "/one--slow/call", "{}").message())
                .contains("User \"one\" cannot call resource \"tools\"");
    }
}
