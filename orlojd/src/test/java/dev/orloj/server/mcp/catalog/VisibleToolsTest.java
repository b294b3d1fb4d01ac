package dev.orloj.server.mcp.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.runtime.transport.TransportException;
import dev.orloj.server.mcp.Agent;
import dev.orloj.server.mcp.McpProbe.Answer;
import dev.orloj.server.mcp.McpRig;
import dev.orloj.server.mcp.StatelessAgent;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;

/** Lists and calls of tools, as agents see them. */
@Timeout(60)
class VisibleToolsTest {

    private static final String ODD_DEFINITION =
            """
            {"name":"odd","title":"Odd","inputSchema":{"type":"object","$defs":{"x":{"minimum":1.50}}},\
            "outputSchema":{"type":"object"},"icons":[{"src":"x"}],"unheard":{"big":12345678901234567890123}}\
            """;

    private static final String ODD_RESULT =
            """
            {"content":[{"type":"hologram","x":1.50,"n":null},{"type":"resource_link","uri":"a://b","name":"b"}],\
            "structuredContent":{"a":1.250},"isError":true,"_meta":{"a/b":null},"unheard":[{}]}\
            """;

    private final McpRig rig = new McpRig();

    @AfterEach
    void stop() {
        rig.close();
    }

    /** H-24: what was not declared to the client is not passed on either. */
    @Test
    void callIsNoTaskThoughTheClientAsksForOne() {
        Answer answer =
                rig.agent("/mcp", "2025-11-25")
                        .ask(
                                "tools/call",
                                "{\"name\": \"github__echo\", \"arguments\": {\"task\": 1},"
                                        + " \"task\": {\"ttl\": 60000}, \"x\": 1}");

        assertThat(answer.at("/result/content/0/text")).isEqualTo("{\"task\":1}");
        assertThat(rig.servers().latest().requests().getLast().params())
                .hasToString("{\"name\":\"echo\",\"arguments\":{\"task\":1},\"x\":1}");
    }

    @Test
    void namespaceListsAllItsToolsByTheNamesForAgentsAndStartsNoServer() {
        rig.putTool(new ResourceKey("default", "zoo"), "{\"name\": \"feed\", \"inputSchema\": {}}");
        rig.putTool(new ResourceKey("other", "zoo"), "{\"name\": \"hide\", \"inputSchema\": {}}");
        rig.putTool(McpRig.SERVER.server(), "{\"name\": \"a\", \"inputSchema\": {}}");

        assertThat(names(list("/mcp"))).containsExactly("github__a", "github__echo", "zoo__feed");
        assertThat(names(list("/mcp/other"))).containsExactly("zoo__hide");
        assertThat(names(list("/mcp/empty"))).isEmpty();
        assertThat(names(list("/mcp/default/mcpservers/github"))).containsExactly("a", "echo");
        assertThat(rig.servers().made()).isEmpty();
    }

    @Test
    void definitionComesAsTheServerSentIt() {
        rig.putTool(McpRig.SERVER.server(), ODD_DEFINITION);

        assertThat(list("/mcp/default/mcpservers/github").at("/result/tools/1"))
                .isEqualTo(ODD_DEFINITION);
        assertThat(list("/mcp").at("/result/tools/1"))
                .isEqualTo(ODD_DEFINITION.replace("\"odd\"", "\"github__odd\""));
    }

    /** Clients check a whole list, and refuse all of it because of one definition. */
    @Test
    void definitionThatMcpDoesNotPermitIsRepairedForAgents() {
        rig.putTool(
                McpRig.SERVER.server(),
                "{\"name\": \"odd\", \"description\": null, \"inputSchema\": {\"x\": 1}}");

        assertThat(list("/mcp").at("/result/tools/1"))
                .isEqualTo(
                        "{\"name\":\"github__odd\",\"inputSchema\":{\"x\":1,\"type\":\"object\"}}");
    }

    @Test
    void resultComesAsTheServerSentIt() {
        rig.servers().on("tools/call", (connection, params) -> FakeTransports.json(ODD_RESULT));

        assertThat(
                        rig.agent("/mcp/default/mcpservers/github", "2025-11-25")
                                .call("echo", "{}")
                                .at("/result"))
                .isEqualTo(ODD_RESULT);
    }

    @Test
    void oldAgentsGetNoFieldsTheyDoNotKnow() {
        rig.putTool(McpRig.SERVER.server(), ODD_DEFINITION);
        rig.servers().on("tools/call", (connection, params) -> FakeTransports.json(ODD_RESULT));
        Agent agent = rig.agent("/mcp", "2025-03-26");

        assertThat(agent.ask("tools/list", "{}").json().at("/result/tools/1").propertyNames())
                .containsExactly("name", "inputSchema", "unheard");
        assertThat(agent.call("github__echo", "{}").at("/result"))
                .isEqualTo(
                        """
                        {"content":[{"type":"hologram","x":1.50,"n":null},{"type":"text","text":"a://b"}],\
                        "isError":true,"_meta":{"a/b":null},"unheard":[{}]}\
                        """);
    }

    @Test
    void structuredContentAloneBecomesTextForOldAgents() {
        rig.servers()
                .on(
                        "tools/call",
                        (connection, params) ->
                                FakeTransports.json("{\"structuredContent\": [1, 2]}"));

        for (String revision : List.of("2025-03-26", "2025-11-25")) {
            assertThat(rig.agent("/mcp", revision).call("github__echo", "{}").at("/result"))
                    .isEqualTo("{\"content\":[{\"type\":\"text\",\"text\":\"[1,2]\"}]}");
        }
        assertThat(
                        new StatelessAgent(rig.probe("/mcp"))
                                .call("github__echo", "{}")
                                .at("/result/structuredContent"))
                .isEqualTo("[1,2]");
    }

    /** A client that got such a result of a server of 2026-07-28 got its signature as well. */
    @Test
    void resultOfANewerServerComesToAnOlderAgentWithoutItsMarks() {
        rig.servers()
                .on(
                        "tools/call",
                        (connection, params) ->
                                FakeTransports.json(
                                        """
                                        {"resultType":"complete","content":[],"_meta":{"a/b":1,\
                                        "io.modelcontextprotocol/serverInfo":{"name":"x","version":"1"}}}\
                                        """));
        String endpoint = "/mcp/default/mcpservers/github";

        assertThat(rig.agent(endpoint, "2025-11-25").call("echo", "{}").at("/result"))
                .isEqualTo("{\"content\":[],\"_meta\":{\"a/b\":1}}");
    }

    @Test
    void longListsComeInPagesThatMissNothing() {
        for (int i = 0; i < VisibleTools.PAGE + 500; i++) {
            rig.putTool(
                    McpRig.SERVER.server(),
                    "{\"name\": \"t%05d\", \"inputSchema\": {}}".formatted(i));
        }
        Agent agent = rig.agent("/mcp", "2025-11-25");

        Answer first = agent.ask("tools/list", "{}");
        String cursor = first.at("/result/nextCursor");
        Answer second = agent.ask("tools/list", "{\"cursor\": \"%s\"}".formatted(cursor));

        List<String> names = new ArrayList<>(names(first));
        assertThat(names).hasSize(VisibleTools.PAGE);
        names.addAll(names(second));
        assertThat(names).hasSize(VisibleTools.PAGE + 501).isSorted().doesNotHaveDuplicates();
        assertThat(second.json().at("/result").has("nextCursor")).isFalse();
    }

    @Test
    void cursorOfAnotherClientIsRefused() {
        Agent agent = rig.agent("/mcp", "2025-11-25");

        assertThat(agent.ask("tools/list", "{\"cursor\": \"%%%\"}").at("/error/code"))
                .isEqualTo("-32602");
        assertThat(agent.ask("tools/list", "{\"cursor\": 7}").at("/error/code"))
                .isEqualTo("-32602");
    }

    @Test
    void whatElseARequestHoldsReachesTheServerWithoutWhatIsBetweenUs() {
        rig.servers()
                .on(
                        "tools/call",
                        (connection, params) -> Json.MAPPER.createObjectNode().set("seen", params));

        Answer answer =
                rig.agent("/mcp/default/mcpservers/github", "2025-11-25")
                        .ask(
                                "tools/call",
                                """
                                {"name": "echo", "unheard": 1, "_meta":
                                  {"traceparent": "00-1", "io.modelcontextprotocol/logLevel": "debug"}}
                                """);

        assertThat(answer.at("/result/seen"))
                .isEqualTo(
                        "{\"name\":\"echo\",\"arguments\":{},\"unheard\":1,\"_meta\":{\"traceparent\":\"00-1\"}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {"name": "github__nothing"}                   | Unknown: "github__nothing"
                    {"name": "echo"}                              | Unknown: "echo"
                    {"arguments": {}}                             | "params.name" of "tools/call" must be a text
                    """)
    void whatIsNotThereCannotBeCalled(String params, String message) {
        Answer answer = rig.agent("/mcp", "2025-11-25").ask("tools/call", params);

        assertThat(answer.code()).isEqualTo(200);
        assertThat(answer.at("/error/code")).isEqualTo("-32602");
        assertThat(answer.at("/error/message")).isEqualTo(message);
    }

    @Test
    void wrongArgumentsAreForTheModelInNewerRevisions() {
        rig.putTool(
                McpRig.SERVER.server(),
                "{\"name\": \"strict\", \"inputSchema\": {\"required\": [\"q\"]}}");

        Answer newer = rig.agent("/mcp", "2025-11-25").call("github__strict", "{}");
        Answer older = rig.agent("/mcp", "2025-06-18").call("github__strict", "{}");

        assertThat(newer.at("/result/isError")).isEqualTo("true");
        assertThat(newer.at("/result/content/0/text"))
                .isEqualTo(
                        "The arguments of \"github__strict\" are not valid: arguments.q: Required"
                                + " value");
        assertThat(older.at("/error/code")).isEqualTo("-32602");
        assertThat(rig.servers().made()).isEmpty();
    }

    @Test
    void errorOfTheServerKeepsItsCodeAndData() {
        failWith(
                new JsonRpcException(
                        new JsonRpcError(-32042, "look there", FakeTransports.json("{\"u\": 1}"))));

        Answer older = rig.agent("/mcp", "2025-11-25").call("github__echo", "{}");
        Answer newer = new StatelessAgent(rig.probe("/mcp")).call("github__echo", "{}");

        assertThat(older.at("/error"))
                .isEqualTo("{\"code\":-32042,\"message\":\"look there\",\"data\":{\"u\":1}}");
        assertThat(newer.at("/error/code")).isEqualTo("-32603");
    }

    @Test
    void deadServerIsAnErrorThatSaysWhetherTheCallWasMade() {
        failWith(new TransportException("it fell over", true));

        Answer answer = rig.agent("/mcp", "2025-11-25").call("github__echo", "{}");

        assertThat(answer.at("/error/code")).isEqualTo("-32603");
        assertThat(answer.at("/error/message"))
                .isEqualTo(
                        "Server \"github\" is unavailable: it fell over; the request may have been"
                                + " carried out");
        assertThat(answer.at("/error/data/reason")).isEqualTo("ServerUnavailable");
    }

    @Test
    void suspendedServerKeepsItsToolsInTheListAndTakesNoCalls() {
        rig.catalog().refuseServer(McpRig.SERVER.server(), "is suspended: replicas is 0");

        assertThat(names(list("/mcp"))).containsExactly("github__echo");
        assertThat(rig.agent("/mcp", "2025-11-25").call("github__echo", "{}").at("/error/message"))
                .isEqualTo(
                        "\"github__echo\" cannot be called: its server \"default/github\" is"
                                + " suspended: replicas is 0");
    }

    private void failWith(RuntimeException failure) {
        rig.servers()
                .on(
                        "tools/call",
                        (connection, params) -> {
                            throw failure;
                        });
    }

    private Answer list(String path) {
        return rig.agent(path, "2025-11-25").ask("tools/list", "{}");
    }

    private static List<String> names(Answer list) {
        return list.json()
                .at("/result/tools")
                .valueStream()
                .map((JsonNode tool) -> tool.path("name").asString())
                .toList();
    }
}
