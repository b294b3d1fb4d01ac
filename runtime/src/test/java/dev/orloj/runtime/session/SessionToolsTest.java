package dev.orloj.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.runtime.client.McpProtocolException;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.listing.ListingLimitException;
import dev.orloj.runtime.listing.ListingLimits;
import dev.orloj.runtime.listing.ToolListing;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransports;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.util.Random;

@Timeout(30)
class SessionToolsTest {

    private static final ServerDefinition SERVER = Definitions.server("github");

    @RegisterExtension private final SessionRig rig = new SessionRig();

    @Test
    void allPagesAreRead() throws Exception {
        rig.transports.on(
                "tools/list",
                (connection, params) ->
                        switch (params.path("cursor").asString("")) {
                            case "" -> json("{'tools': [{'name': 'a'}], 'nextCursor': 'p2'}");
                            case "p2" -> json("{'tools': [], 'nextCursor': 'p3'}");
                            case "p3" -> json("{'tools': [{'name': 'b'}], 'nextCursor': null}");
                            default -> throw new IllegalArgumentException(params.toString());
                        });

        assertThat(list().tools())
                .extracting(tool -> tool.path("name").asString())
                .containsExactly("a", "b");
    }

    /** H-24: no client could call it, as Orloj does not offer tasks. */
    @Test
    void toolThatIsOnlyCalledAsATaskIsLeftOutWithANote() throws Exception {
        rig.transports.on(
                "tools/list",
                (connection, params) ->
                        json(
                                "{'tools': [{'name': 'a', 'execution': {'taskSupport':"
                                    + " 'required'}}, {'name': 'b', 'execution': {'taskSupport':"
                                    + " 'optional'}}]}"));

        ToolListing listing = list();

        assertThat(listing.tools())
                .extracting(tool -> tool.path("name").asString())
                .containsExactly("b");
        assertThat(listing.notes())
                .containsExactly(
                        "Tool \"a\" was left out: it can be called as a task only, which Orloj does"
                                + " not offer");
    }

    @Test
    void hundredPagesAreRead() throws Exception {
        countPages(100);

        assertThat(list().tools()).hasSize(100);
    }

    @Test
    void moreThanHundredPagesAreAnError() {
        countPages(101);

        assertThatThrownBy(this::list)
                .isInstanceOf(ListingLimitException.class)
                .hasMessage(
                        "The server lists at least 101 pages of tools, and"
                                + " spec.tool_limits.max_pages allows 100; raise the field, up to"
                                + " the 1,000 that orlojd allows, or have the server list less");
    }

    /** H-02. */
    @Test
    void oneToolMoreThanAllowedIsAnErrorThatNamesTheFieldAndTheRemedy() {
        answerList("{'tools': [{'name': 'a'}, {'name': 'b'}, {'name': 'c'}]}");

        assertThatThrownBy(
                        () -> list(new ListingLimits.Ceilings(5, 1_000, 5).limits(2L, null, null)))
                .isInstanceOf(ListingLimitException.class)
                .hasMessage(
                        "The server lists at least 3 tools, and spec.tool_limits.max_tools allows"
                                + " 2; raise the field, up to the 5 that orlojd allows, or have the"
                                + " server list less");
    }

    /** H-02. */
    @Test
    void bytesAreCountedOverAllPagesAndHeldToTheCeiling() {
        countPages(100);

        assertThatThrownBy(
                        () ->
                                list(
                                        new ListingLimits.Ceilings(500, 100, 500)
                                                .limits(null, 900L, null)))
                .isInstanceOf(ListingLimitException.class)
                .hasMessage(
                        "The server lists at least 104 bytes of tool definitions, and"
                                + " spec.tool_limits.max_bytes allows 100, the most that orlojd"
                                + " allows; have its operator raise orloj.tool-limits.max-bytes, or"
                                + " the server list less");
    }

    /** H-08. */
    @Test
    void toolThatIsTooLargeIsLeftOutAndTheOthersAreOffered() throws Exception {
        String large = "x".repeat(6 * 1024 * 1024);
        answerList(
                "{'tools': [{'name': 'schema', 'inputSchema': {'title': '%s'}}, {'name': 'good'}]}"
                        .formatted(large));

        ToolListing listing = list();

        assertThat(listing.tools())
                .extracting(tool -> tool.path("name").asString())
                .containsExactly("good");
        assertThat(listing.notes())
                .containsExactly(
                        "Tool \"schema\" was left out: its definition has 6,291,500 bytes, and at"
                                + " most 524,288 are taken");
    }

    @Test
    void halfOfASurrogatePairComesAsItWasReceived() throws Exception {
        String tool = "{\"name\": \"t\", \"description\": \"\\ud83d and \\u00e9\"}";
        answerList("{\"tools\": [" + tool + "]}");

        assertThat(list().tools().getFirst()).isEqualTo(FakeTransports.json(tool));
    }

    @Test
    void repeatedCursorIsAnError() {
        answerList("{'tools': [], 'nextCursor': 'again'}");

        assertThatThrownBy(this::list)
                .isInstanceOf(McpProtocolException.class)
                .hasMessageContaining("page 2")
                .hasMessageContaining("nextCursor is one that came before");
    }

    /** Some servers return a cursor with their only page, and this page for every cursor. */
    @ParameterizedTest
    @ValueSource(strings = {"again", ""})
    void serverThatIgnoresCursorsListsItsToolsOnce(String cursor) throws Exception {
        answerList(
                "{'tools': [{'name': 'a'}, {'name': 'b'}], 'nextCursor': '%s'}".formatted(cursor));

        ToolListing listing = list();

        assertThat(listing.tools())
                .extracting(tool -> tool.path("name").asString())
                .containsExactly("a", "b");
        assertThat(listing.notes()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "7",
                "null",
                "{'tools': {}}",
                "{'tools': null}",
                "{'tools': 'echo'}",
                "{'tools': [], 'nextCursor': 7}",
                "{'tools': [], 'nextCursor': {}}"
            })
    void listThatIsNoneIsAnError(String answer) {
        answerList(answer);

        assertThatThrownBy(this::list)
                .isInstanceOf(McpProtocolException.class)
                .hasMessageStartingWith("Answer to \"tools/list\" is not usable (page 1): ");
    }

    @Test
    void oneBadToolNeverSinksTheOthers() throws Exception {
        answerList(
                "{'tools': [7, {'name': 'good', 'x': 1}, {}, {'name': 5}, {'name': ''}, null,"
                        + " {'name': 'good', 'x': 2}, {'name': 'fine'}]}");

        ToolListing listing = list();

        assertThat(listing.tools())
                .containsExactly(
                        (tools.jackson.databind.node.ObjectNode) json("{'name': 'good', 'x': 1}"),
                        (tools.jackson.databind.node.ObjectNode) json("{'name': 'fine'}"));
        assertThat(listing.notes())
                .containsExactly(
                        "A tool that is a number and no object was left out",
                        "A tool without a name was left out: name is absent",
                        "A tool without a name was left out: name is a number",
                        "A tool without a name was left out: name is an empty string",
                        "A tool that is null and no object was left out",
                        "Tool \"good\" is listed twice: the second was left out");
    }

    @Test
    void serverWithoutToolsHasNone() throws Exception {
        rig.transports.on(
                "initialize", (connection, params) -> json("{'protocolVersion': '2025-06-18'}"));
        rig.transports.on(
                "tools/list",
                (connection, params) -> {
                    throw new JsonRpcException(SessionRig.error(-32601));
                });

        assertThat(list().tools()).isEmpty();
    }

    @Test
    void serverThatDeclaresToolsMustListThem() {
        rig.transports.on(
                "tools/list",
                (connection, params) -> {
                    throw new JsonRpcException(SessionRig.error(-32601));
                });

        assertThatThrownBy(this::list).isInstanceOf(JsonRpcException.class);
    }

    @Test
    void definitionsComeAsTheyWereReceived() throws Exception {
        String tool =
                """
                {"name": "t", "title": null, "inputSchema": {"x-new": [1.10, 1e400, null]},
                 "annotations": {"readOnlyHint": true, "unheardOf": {"": 0}},
                 "_meta": {"a/b": 12345678901234567890123}, "icons": [], "future": {"deep": [[]]}}
                """;
        answerList("{\"tools\": [" + tool + "]}");

        assertThat(list().tools().getFirst()).isEqualTo(FakeTransports.json(tool));
    }

    @Test
    void randomAnswersAreListedOrRefusedAndTheSessionGoesOn() throws Exception {
        long seed = 20_261_120L;
        Random random = new Random(seed);
        String[] parts = {
            "{", "}", "[", "]", "'tools'", ":", ",", "'name'", "'a'", "null", "7", "'nextCursor'"
        };
        for (int i = 0; i < 2_000; i++) {
            StringBuilder text = new StringBuilder("{'tools': [");
            for (int k = random.nextInt(8); k > 0; k--) {
                text.append(parts[random.nextInt(parts.length)]);
            }
            text.append("]}");
            JsonNode answer;
            try {
                answer = json(text.toString());
            } catch (RuntimeException notJson) {
                continue;
            }
            rig.transports.on("tools/list", (connection, params) -> answer);
            try {
                assertThat(list().tools())
                        .as("seed %d: %s", seed, answer)
                        .allMatch(t -> t.has("name"));
            } catch (McpProtocolException refused) {
                assertThat(refused)
                        .as("seed %d: %s", seed, answer)
                        .hasMessageContaining("tools/list");
            }
        }
        assertThat(TestSessions.sessionFor(rig.manager, SERVER).isReady()).isTrue();
    }

    private ToolListing list() throws InterruptedException {
        return list(Definitions.LISTING);
    }

    private ToolListing list(ListingLimits limits) throws InterruptedException {
        return TestSessions.sessionFor(rig.manager, SERVER).discoverTools(limits);
    }

    private void answerList(String answer) {
        rig.transports.on("tools/list", (connection, params) -> json(answer));
    }

    private void countPages(int pages) {
        rig.transports.on(
                "tools/list",
                (connection, params) -> {
                    int page = Integer.parseInt(params.path("cursor").asString("1"));
                    return json(
                            page < pages
                                    ? "{'tools': [{'name': 't%d'}], 'nextCursor': '%d'}"
                                            .formatted(page, page + 1)
                                    : "{'tools': [{'name': 't%d'}]}".formatted(page));
                });
    }

    private static JsonNode json(String text) {
        return FakeTransports.json(text.replace('\'', '"'));
    }
}
