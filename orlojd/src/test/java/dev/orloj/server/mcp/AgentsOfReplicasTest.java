package dev.orloj.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.mcp.McpProbe.Answer;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.testing.RunningOrlojd;
import dev.orloj.server.testing.ScriptedServers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

/** Two replicas on one database are one MCP server to agents. */
@Timeout(120)
class AgentsOfReplicasTest {

    private static final String INITIALIZE =
            """
            {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params":
              {"protocolVersion": "2024-11-05", "capabilities": {},
               "clientInfo": {"name": "test", "version": "1"}}}
            """;

    private static final String CALL = "\"name\": \"asking__echo\", \"arguments\": {}";

    @TempDir private Path folder;

    private TestPostgres.Database database;
    private RunningOrlojd first;
    private RunningOrlojd second;

    @BeforeEach
    void start() {
        database = TestPostgres.freshDatabase();
        first = RunningOrlojd.start(database, Map.of());
        second = RunningOrlojd.start(database, Map.of());
    }

    @AfterEach
    void stop() {
        first.close();
        second.close();
        database.close();
    }

    private static McpProbe probe(RunningOrlojd orlojd, String path) {
        return new McpProbe(URI.create(orlojd.client().url() + path));
    }

    /**
     * Waits until a replica serves a server to agents with all that it has. The status is the same
     * at both, but each receives the server, its Tools and its identity by itself.
     */
    private static void awaitServer(RunningOrlojd replica, String server) {
        McpProbe endpoint = probe(replica, "/mcp/default/mcpservers/" + server);
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(
                        () -> {
                            Agent agent = Agent.initialize(endpoint, "2025-11-25");
                            Answer introduction = agent.introduction();
                            assertThat(introduction.code()).isEqualTo(200);
                            assertThat(introduction.at("/result/serverInfo/name"))
                                    .isNotEqualTo(server);
                            assertThat(agent.ask("tools/list", "{}").text()).contains("\"echo\"");
                        });
    }

    @Test
    void sessionOfOneReplicaIsServedByTheOtherWhichReportsWhatIsWrittenElsewhere()
            throws Exception {
        Agent agent = Agent.initialize(probe(first, "/mcp"), "2025-11-25");
        Agent moved = new Agent(probe(second, "/mcp"), agent.session(), agent.introduction());
        try (McpProbe.Stream stream = moved.listen()) {
            assertThat(stream.code()).isEqualTo(200);

            first.client()
                    .create(
                            "default",
                            "mcpservers",
                            ScriptedServers.in(folder).manifest("scripted", "good"));

            assertThat(stream.next().path("method").asString())
                    .isEqualTo("notifications/tools/list_changed");
            Answer list = moved.ask("tools/list", "{}");
            assertThat(list.json().at("/result/tools").valueStream().map(t -> t.path("name")))
                    .extracting(JsonNode::asString)
                    .contains("scripted__echo");
        }
    }

    @Test
    void whatIsPostedAnywhereIsAnsweredOnTheStreamOfAnOlderAgent() throws Exception {
        first.client()
                .create(
                        "default",
                        "mcpservers",
                        ScriptedServers.in(folder).manifest("scripted", "good", "expose: [sse]"));
        awaitServer(first, "scripted");
        awaitServer(second, "scripted");
        String path = "/mcp/default/mcpservers/scripted/sse";
        try (McpProbe.Stream stream = probe(first, path).open("GET", "")) {
            McpProbe posting = probe(second, stream.nextData());

            assertThat(posting.post(INITIALIZE).code()).isEqualTo(202);
            assertThat(stream.next().at("/result/protocolVersion").asString())
                    .isEqualTo("2024-11-05");
            posting.post(Agent.request("tools/call", "{\"name\": \"echo\"}"));
            assertThat(stream.next().at("/result/content/0/text").asString()).isEqualTo("good");
        }
    }

    @Test
    void serverIsItselfOnAReplicaThatNeverTalkedToIt() throws Exception {
        first.client()
                .create(
                        "default",
                        "mcpservers",
                        ScriptedServers.in(folder).manifest("scripted", "good"));
        awaitServer(second, "scripted");

        Agent agent =
                Agent.initialize(probe(second, "/mcp/default/mcpservers/scripted"), "2025-06-18");

        assertThat(agent.introduction().at("/result/serverInfo/name")).isEqualTo("good");
        assertThat(agent.call("echo", "{}").at("/result/content/0/text")).isEqualTo("good");
    }

    private void serverThatAsks() throws Exception {
        first.client()
                .create(
                        "default",
                        "mcpservers",
                        ScriptedServers.in(folder)
                                .manifest("asking", "asks", "bridge: {elicitation: park}"));
        awaitServer(first, "asking");
        awaitServer(second, "asking");
    }

    @Test
    void callThatOneReplicaHasParkedGoesOnThroughTheOther() throws Exception {
        serverThatAsks();

        Answer done = goOn(stateless(second), begin(stateless(first)));

        assertThat(done.at("/result/content/0/text")).as(done.text()).isEqualTo("accept");
        assertThat(done.text()).doesNotContain("notifications/message");
    }

    @Test
    void logsOfASuspendedCallArriveWhereItContinues() throws Exception {
        serverThatAsks();

        Answer asked = begin(stateless(first).receiving("info"));
        Answer done = goOn(stateless(second).receiving("info"), asked);

        assertThat(done.messages()).hasSize(2);
        assertThat(done.messages().getFirst().at("/params/data").asString()).isEqualTo("accept");
        assertThat(done.at("/result/content/0/text")).as(done.text()).isEqualTo("accept");
    }

    private static Answer begin(StatelessAgent agent) {
        return agent.ask("tools/call", CALL, "Mcp-Name", "asking__echo");
    }

    /** Accepts all that was asked. */
    private static Answer goOn(StatelessAgent agent, Answer asked) {
        String responses =
                asked.json().at("/result/inputRequests").propertyNames().stream()
                        .map("\"%s\": {\"action\": \"accept\"}"::formatted)
                        .collect(Collectors.joining(","));
        return agent.ask(
                "tools/call",
                "%s, \"inputResponses\": {%s}, \"requestState\": \"%s\""
                        .formatted(CALL, responses, asked.at("/result/requestState")),
                "Mcp-Name",
                "asking__echo");
    }

    private static StatelessAgent stateless(RunningOrlojd orlojd) {
        return new StatelessAgent(probe(orlojd, "/mcp"), "{\"elicitation\": {}}");
    }

    @Test
    void answerOfAnAgentReachesTheReplicaThatAsked() throws Exception {
        serverThatAsks();
        Agent agent = Agent.initialize(probe(first, "/mcp"), "2025-11-25", "{\"elicitation\": {}}");
        Agent moved = new Agent(probe(second, "/mcp"), agent.session(), agent.introduction());
        try (McpProbe.Stream call = agent.openCall("asking__echo", "{}")) {

            moved.answer(call.next(), "{\"action\": \"decline\"}");

            assertThat(call.next().at("/params/data").asString()).isEqualTo("decline");
            assertThat(call.next().at("/result/content/0/text").asString()).isEqualTo("decline");
        }
    }
}
