package dev.orloj.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.mcp.McpProbe.Answer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.concurrent.CountDownLatch;

/** Agents of revision 2026-07-28, which have no sessions. */
@Timeout(60)
class StatelessAgentTest {

    private static final String[] LISTING = {
        "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/list"
    };

    private final McpRig rig = new McpRig();
    private final StatelessAgent agent = new StatelessAgent(rig.probe("/mcp"));

    @AfterEach
    void stop() {
        rig.close();
    }

    @Test
    void discoveryReportsWhatIsServed() {
        Answer answer = agent.ask("server/discover", "");

        assertThat(answer.code()).isEqualTo(200);
        assertThat(answer.header("Mcp-Session-Id")).isEmpty();
        assertThat(answer.at("/result/supportedVersions"))
                .isEqualTo("[\"2026-07-28\",\"2025-11-25\",\"2025-06-18\",\"2025-03-26\"]");
        assertThat(answer.at("/result/resultType")).isEqualTo("complete");
        assertThat(answer.at("/result/cacheScope")).isEqualTo("public");
        assertThat(answer.at("/result/_meta/io.modelcontextprotocol~1serverInfo/name"))
                .isEqualTo("orloj");
    }

    @Test
    void listSaysHowLongItIsGoodFor() {
        Answer answer = agent.ask("tools/list", "");

        assertThat(answer.at("/result/tools/0/name")).isEqualTo("github__echo");
        assertThat(answer.at("/result/ttlMs")).isEqualTo("60000");
        assertThat(answer.at("/result/resultType")).isEqualTo("complete");
    }

    @Test
    void resultOfACallIsTheServersButForItsType() {
        Answer answer = agent.call("github__echo", "{\"a\": 1}");

        assertThat(answer.at("/result"))
                .isEqualTo(
                        "{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\"{\\\"a\\\":1}\"}]}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {}                                                                         | -32602
                    {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}       | -32602
                    {"_meta": {"io.modelcontextprotocol/clientCapabilities": {}}}              | -32602
                    {"_meta": []}                                                              | -32602
                    {"_meta": {"io.modelcontextprotocol/protocolVersion": "2999-01-01"}}       | -32020
                    """)
    void requestThatDoesNotSayWhatItSpeaksIsRefused(String params, String code) {
        Answer answer = rig.probe("/mcp").post(Agent.request("tools/list", params), LISTING);

        assertThat(answer.code()).isEqualTo(400);
        assertThat(answer.at("/error/code")).isEqualTo(code);
    }

    @Test
    void unknownRevisionIsAnsweredWithWhatIsKnown() {
        Answer answer =
                rig.probe("/mcp")
                        .post(
                                StatelessAgent.request("tools/list", "")
                                        .replace("2026-07-28", "v999"),
                                "MCP-Protocol-Version",
                                "v999");

        assertThat(answer.code()).isEqualTo(400);
        assertThat(answer.at("/error/code")).isEqualTo("-32022");
        assertThat(answer.at("/error/data/requested")).isEqualTo("v999");
        assertThat(answer.at("/error/data/supported/0")).isEqualTo("2026-07-28");
        assertThat(answer.at("/id")).isEqualTo("1");
    }

    @ParameterizedTest
    @CsvSource({
        "Mcp-Method, tools/call",
        "Mcp-Method, TOOLS/LIST",
        "MCP-Protocol-Version, 2025-11-25",
        "Mcp-Other, tools/list"
    })
    void headersMustSayWhatTheBodySays(String name, String value) {
        String version = name.startsWith("MCP") ? value : "2026-07-28";
        String method = name.equals("Mcp-Method") ? value : "tools/list";
        String methodHeader = name.equals("Mcp-Other") ? name : "Mcp-Method";

        Answer answer =
                rig.probe("/mcp")
                        .post(
                                StatelessAgent.request("tools/list", ""),
                                "MCP-Protocol-Version",
                                version,
                                methodHeader,
                                method);

        assertThat(answer.code()).isEqualTo(400);
        assertThat(answer.at("/error/code")).isEqualTo("-32020");
    }

    @ParameterizedTest
    @CsvSource({
        "github__echo,                        200",
        "=?base64?Z2l0aHViX19lY2hv?=,         200",
        "github__else,                        400",
        "=?base64?Z2l0aHViX19lY2hv!?=,        400",
        "=?base64?Z2l0aHViX19lY2h?=,          400",
    })
    void nameInTheHeaderIsDecodedAndCompared(String header, int code) {
        Answer answer = agent.ask("tools/call", "\"name\": \"github__echo\"", "Mcp-Name", header);

        assertThat(answer.code()).isEqualTo(code);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {"region": "x", "deep": {"n": 42}} | x      | 42.0 | 200
                    {"region": null}                   |        |      | 200
                    {"region": "x"}                    |        |      | 400
                    {"region": "x"}                    | y      |      | 400
                    {"deep": {"n": 42}}                |        | 43   | 400
                    {"deep": {"n": 42}}                |        | many | 400
                    {"flag": true}                     |        |      | 400
                    """)
    void argumentsThatAToolWantsInHeadersAreCompared(
            String arguments, String region, String number, int code) {
        rig.putTool(
                McpRig.SERVER.server(),
                """
                {"name": "sql", "inputSchema": {"type": "object", "properties": {
                   "region": {"type": ["string", "null"], "x-mcp-header": "Region"},
                   "flag": {"type": "boolean", "x-mcp-header": "Flag"},
                   "deep": {"type": "object", "properties": {
                      "n": {"type": "integer", "x-mcp-header": "N"}}}}}}
                """);

        Answer answer =
                agent.call(
                        "github__sql",
                        arguments,
                        region == null ? "X-None" : "Mcp-Param-Region",
                        region == null ? "-" : region,
                        number == null ? "X-None" : "mcp-param-n",
                        number == null ? "-" : number);

        assertThat(answer.code()).isEqualTo(code);
        if (code == 400) {
            assertThat(answer.at("/error/code")).isEqualTo("-32020");
        }
    }

    @ParameterizedTest
    @CsvSource({"initialize", "ping", "logging/setLevel", "resources/subscribe", "guess/it"})
    void methodsOfOlderRevisionsAreNotThere(String method) {
        Answer answer = agent.ask(method, "");

        assertThat(answer.code()).isEqualTo(404);
        assertThat(answer.at("/error/code")).isEqualTo("-32601");
        assertThat(answer.at("/id")).isEqualTo("1");
    }

    @Test
    void thereAreNoStreamsAndSessions() {
        String[] headers = {"MCP-Protocol-Version", "2026-07-28", "Accept", "text/event-stream"};

        assertThat(rig.probe("/mcp").send("GET", "", headers).code()).isEqualTo(405);
        assertThat(rig.probe("/mcp").send("DELETE", "", headers).code()).isEqualTo(405);
        assertThat(rig.probe("/mcp").send("PUT", "", headers).code()).isEqualTo(405);
    }

    @Test
    void agentThatLeavesCancelsItsCall() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        rig.servers()
                .on(
                        "tools/call",
                        (connection, params) -> {
                            arrived.countDown();
                            never.await();
                            return params;
                        });
        McpProbe.Stream stream =
                agent.open("tools/call", "\"name\": \"github__echo\"", "Mcp-Name", "github__echo");
        arrived.await();

        assertThat(inFlight()).isEqualTo(1);
        stream.close();

        await().untilAsserted(() -> assertThat(inFlight()).isZero());
    }

    private int inFlight() {
        return rig.sessions().sessions(McpRig.SERVER.server()).getFirst().inFlight();
    }

    @Test
    void listenerLearnsWhatItAskedForAndWhatItWillGet() throws Exception {
        try (McpProbe.Stream stream =
                agent.open(
                        "subscriptions/listen",
                        "\"notifications\": {\"toolsListChanged\": true, \"unheard\": true}")) {
            assertThat(stream.next())
                    .hasToString(
                            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"notifications\":{\"toolsListChanged\":true},\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}");

            rig.putTool(McpRig.SERVER.server(), "{\"name\": \"new\", \"inputSchema\": {}}");

            assertThat(stream.next())
                    .hasToString(
                            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}}}");

            rig.stopStreams();

            assertThat(stream.next().at("/result/resultType").asString()).isEqualTo("complete");
            assertThat(rig.subscriptions().count()).isZero();
        }
    }

    @Test
    void listenerThatWantsNoToolsIsNotifiedOfNone() throws Exception {
        try (McpProbe.Stream stream = agent.open("subscriptions/listen", "\"notifications\": {}")) {
            assertThat(stream.next().at("/params/notifications")).isEmpty();

            rig.putTool(McpRig.SERVER.server(), "{\"name\": \"new\", \"inputSchema\": {}}");
            rig.stopStreams();

            assertThat(stream.next().path("id").asInt()).isEqualTo(1);
        }
    }
}
