package dev.orloj.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.client.ServerIdentity;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.server.mcp.McpProbe.Answer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

/** Agents of the revisions that begin with {@code initialize}. */
@Timeout(60)
class AgentSessionTest {

    private final McpRig rig = new McpRig();

    @AfterEach
    void stop() {
        rig.close();
    }

    @ParameterizedTest
    @CsvSource({
        "2024-11-05, 2024-11-05",
        "2025-03-26, 2025-03-26",
        "2025-06-18, 2025-06-18",
        "2025-11-25, 2025-11-25",
        "2026-07-28, 2025-11-25",
        "2999-01-01, 2025-11-25"
    })
    void revisionOfTheAgentIsSpokenWhenItIsKnown(String asked, String spoken) {
        Answer answer = rig.agent("/mcp", asked).introduction();

        assertThat(answer.code()).isEqualTo(200);
        assertThat(answer.at("/result/protocolVersion")).isEqualTo(spoken);
        assertThat(answer.at("/result/serverInfo/name")).isEqualTo("orloj");
        assertThat(answer.at("/result/capabilities/tools/listChanged")).isEqualTo("true");
        assertThat(answer.header("Mcp-Session-Id")).matches("[\\x21-\\x7e]{50,400}");
    }

    @Test
    void serverIntroducesItselfInItsOwnWordsAndSleepsOn() {
        rig.catalog()
                .putIdentity(
                        McpRig.SERVER.server(),
                        new ServerIdentity(
                                "2025-06-18",
                                FakeTransports.json(
                                        "{'name':'gh','version':'9','x':[1]}".replace('\'', '"')),
                                FakeTransports.json("{}"),
                                "Be kind."));

        Answer answer = rig.agent("/mcp/default/mcpservers/github", "2025-11-25").introduction();

        assertThat(answer.at("/result/serverInfo"))
                .isEqualTo("{\"name\":\"gh\",\"version\":\"9\",\"x\":[1]}");
        assertThat(answer.at("/result/instructions")).isEqualTo("Be kind.");
        assertThat(rig.servers().made()).isEmpty();
    }

    @Test
    void requestWithoutASessionIsRefused() {
        Answer answer = rig.probe("/mcp").post(Agent.request("tools/list", "{}"));

        assertThat(answer.code()).isEqualTo(400);
        assertThat(answer.at("/error/message")).contains("\"Mcp-Session-Id\" is missing");
        assertThat(answer.at("/id")).isEqualTo("1");
    }

    @Test
    void sessionOfAnotherEndpointOrUnknownIsNotFound() {
        Agent agent = rig.agent("/mcp/default", "2025-11-25");
        Agent elsewhere = new Agent(rig.probe("/mcp/other"), agent.session(), agent.introduction());
        Agent forged =
                new Agent(agent.probe(), agent.session().replace('.', 'x'), agent.introduction());

        assertThat(agent.ask("ping", "{}").code()).isEqualTo(200);
        assertThat(elsewhere.ask("ping", "{}").code()).isEqualTo(404);
        assertThat(forged.ask("ping", "{}").code()).isEqualTo(404);
    }

    @Test
    void endedSessionIsNotFoundAndItsStreamIsOver() throws Exception {
        Agent agent = rig.agent("/mcp", "2025-11-25");
        try (McpProbe.Stream stream = agent.listen()) {
            await().until(() -> rig.subscriptions().count() == 1);

            Answer ended = agent.probe().send("DELETE", "", "Mcp-Session-Id", agent.session());

            assertThat(ended.code()).isEqualTo(204);
            assertThat(agent.ask("ping", "{}").code()).isEqualTo(404);
            assertThat(stream.isAtEnd()).isTrue();
        }
    }

    @Test
    void unknownVersionIsRefused() {
        Agent agent = rig.agent("/mcp", "2025-11-25");

        Answer answer =
                agent.probe()
                        .post(
                                Agent.request("initialize", "{}").replace("initialize", "ping"),
                                "Mcp-Session-Id",
                                agent.session(),
                                "MCP-Protocol-Version",
                                "1999-01-01");

        assertThat(answer.code()).isEqualTo(400);
        assertThat(answer.at("/error/code")).isEqualTo("-32022");
    }

    @Test
    void notificationsAndAnswersAreTakenWithoutAWord() {
        Agent agent = rig.agent("/mcp", "2025-11-25");

        Answer taken =
                agent.send("{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}");
        Answer unknown = agent.send("{\"jsonrpc\": \"2.0\", \"method\": \"notifications/new\"}");
        Answer answer = agent.send("{\"jsonrpc\": \"2.0\", \"id\": 7, \"result\": {}}");

        assertThat(taken.code()).isEqualTo(202);
        assertThat(taken.text()).isEmpty();
        assertThat(unknown.code()).isEqualTo(202);
        assertThat(answer.code()).isEqualTo(202);
    }

    @Test
    void unknownMethodIsAnErrorInAGoodAnswer() {
        Answer answer = rig.agent("/mcp", "2025-06-18").ask("tools/guess", "{}");

        assertThat(answer.code()).isEqualTo(200);
        assertThat(answer.at("/error/code")).isEqualTo("-32601");
    }

    @Test
    void batchIsAnsweredWholeInTheRevisionThatHasThem() {
        Agent agent = rig.agent("/mcp", "2025-03-26");

        Answer answer =
                agent.send(
                        """
                        [{"jsonrpc": "2.0", "id": 1, "method": "ping"},
                         {"jsonrpc": "2.0", "method": "notifications/initialized"},
                         {"jsonrpc": "2.0", "id": "b", "method": "nothing"},
                         {"no": "message"},
                         {"jsonrpc": "2.0", "id": 3, "method": "tools/call",
                          "params": {"name": "github__echo", "arguments": {"a": 1}}}]
                        """);

        assertThat(answer.code()).isEqualTo(200);
        assertThat(answer.json().valueStream().map(each -> each.path("id").toString()))
                .containsExactly("null", "1", "\"b\"", "3");
        assertThat(answer.at("/3/result/content/0/text")).isEqualTo("{\"a\":1}");
    }

    @Test
    void cancelledRequestOfABatchTakesNoAnswerFromTheOthers() throws Exception {
        Agent agent = rig.agent("/mcp", "2025-03-26");
        CountDownLatch called = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        rig.servers()
                .on(
                        "tools/call",
                        (connection, params) -> {
                            called.countDown();
                            never.await();
                            return FakeTransports.echo(params);
                        });
        FutureTask<Answer> batch =
                new FutureTask<>(
                        () ->
                                agent.send(
                                        """
                                        [{"jsonrpc": "2.0", "id": 1, "method": "ping"},
                                         {"jsonrpc": "2.0", "id": 2, "method": "tools/call",
                                          "params": {"name": "github__echo", "arguments": {}}},
                                         {"jsonrpc": "2.0", "id": 3, "method": "ping"}]
                                        """));
        Thread.startVirtualThread(batch);
        called.await();

        agent.send(
                "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/cancelled\", \"params\":"
                        + " {\"requestId\": 2}}");

        assertThat(batch.get().json().valueStream().map(each -> each.path("id").toString()))
                .containsExactly("1", "3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-06-18", "2025-11-25"})
    void batchIsRefusedElsewhere(String revision) {
        Answer answer =
                rig.agent("/mcp", revision)
                        .send("[{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}]");

        assertThat(answer.code()).isEqualTo(400);
        assertThat(answer.at("/error/code")).isEqualTo("-32600");
    }

    @Test
    void progressComesBeforeTheAnswerUnderTheTokenOfTheAgent() {
        rig.servers()
                .on(
                        "tools/call",
                        (connection, params) -> {
                            ObjectNode notification =
                                    (ObjectNode) FakeTransports.json("{\"progress\": 1}");
                            notification.set("progressToken", params.at("/_meta/progressToken"));
                            connection.send("notifications/progress", notification);
                            return FakeTransports.json("{\"content\": []}");
                        });

        Answer answer =
                rig.agent("/mcp", "2025-11-25")
                        .ask(
                                "tools/call",
                                "{\"name\": \"github__echo\", \"_meta\": {\"progressToken\":"
                                        + " \"mine\"}}");

        assertThat(answer.header("Content-Type")).startsWith("text/event-stream");
        assertThat(answer.messages()).hasSize(2);
        assertThat(answer.messages().getFirst())
                .hasToString(
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progress\":1,\"progressToken\":\"mine\"}}");
        assertThat(answer.at("/result")).isEqualTo("{\"content\":[]}");
    }

    @Test
    void answerThatTakesItsTimeIsAStream() {
        CountDownLatch longEnough = new CountDownLatch(1);
        rig.servers()
                .on(
                        "tools/call",
                        (connection, params) -> {
                            longEnough.await();
                            return FakeTransports.json("{\"content\": []}");
                        });
        Agent agent = rig.agent("/mcp", "2025-11-25");
        McpProbe.Stream stream =
                agent.probe()
                        .open(
                                "POST",
                                Agent.request("tools/call", "{\"name\": \"github__echo\"}"),
                                "Mcp-Session-Id",
                                agent.session());

        assertThat(stream.header("Content-Type")).startsWith("text/event-stream");
        assertThat(stream.header("X-Accel-Buffering")).isEqualTo("no");
        longEnough.countDown();
        assertThat(next(stream).at("/result")).hasToString("{\"content\":[]}");
    }

    @Test
    void cancelledCallReachesTheServerAndHasNoAnswer() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        rig.servers()
                .on(
                        "tools/call",
                        (connection, params) -> {
                            never.await();
                            return params;
                        });
        Agent agent = rig.agent("/mcp", "2025-11-25");
        FutureTask<Answer> call = new FutureTask<>(() -> agent.call("github__echo", "{}"));
        Thread.ofVirtual().start(call);
        await().until(() -> rig.servers().count("tools/call") == 1);

        agent.send(
                """
                {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
                """);

        assertThat(call.get().messages()).isEmpty();
        assertThat(rig.sessions().sessions(McpRig.SERVER.server()))
                .singleElement()
                .satisfies(session -> assertThat(session.inFlight()).isZero());
    }

    @Test
    void streamReportsToolsThatChanged() throws Exception {
        Agent agent = rig.agent("/mcp/default", "2025-06-18");
        Agent ofServer = rig.agent("/mcp/default/mcpservers/github", "2025-06-18");
        try (McpProbe.Stream everything = agent.listen();
                McpProbe.Stream one = ofServer.listen()) {
            assertThat(everything.code()).isEqualTo(200);
            rig.putTool(
                    new ResourceKey("elsewhere", "github"),
                    "{\"name\": \"none-of-theirs\", \"inputSchema\": {}}");
            rig.putTool(McpRig.SERVER.server(), "{\"name\": \"new\", \"inputSchema\": {}}");

            assertThat(everything.next())
                    .hasToString(
                            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
            assertThat(one.next().path("method").asString())
                    .isEqualTo("notifications/tools/list_changed");
        }
    }

    private static JsonNode next(McpProbe.Stream stream) {
        try {
            return stream.next();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
