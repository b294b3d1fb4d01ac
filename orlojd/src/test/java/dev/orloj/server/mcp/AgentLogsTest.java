package dev.orloj.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.client.ServerIdentity;
import dev.orloj.runtime.isolation.Isolation;
import dev.orloj.runtime.isolation.SessionScope;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.server.mcp.McpProbe.Answer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;

/** What servers log while they work for agents, and which of them receive it. */
@Timeout(60)
class AgentLogsTest {

    private static final String GITHUB = "/mcp/default/mcpservers/github";
    private static final String LOGGED = "notifications/message";

    private final McpRig rig = new McpRig();

    /** An older server, which logs as it likes. */
    @BeforeEach
    void serverLogsDuringCalls() {
        rig.servers()
                .on("logging/setLevel", (c, params) -> FakeTransports.json("{}"))
                .on(
                        "tools/call",
                        (connection, params) -> {
                            connection.send(LOGGED, log("info", "begun"));
                            connection.send(LOGGED, log("warning", "odd"));
                            return FakeTransports.echo(params);
                        });
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private static JsonNode log(String level, String data) {
        return FakeTransports.json(
                "{\"level\": \"%s\", \"logger\": \"x\", \"data\": {\"text\": \"%s\", \"n\": 1.0}}"
                        .formatted(level, data));
    }

    private static List<String> logged(Answer answer) {
        assertThat(answer.json().has("result")).isTrue();
        return answer.header("Content-Type").startsWith("text/event-stream")
                ? answer.messages().stream()
                        .filter(message -> message.path("method").asString("").equals(LOGGED))
                        .map(message -> message.at("/params/data/text").asString())
                        .toList()
                : List.of();
    }

    private Agent agent() {
        return rig.agent("/mcp", "2025-11-25");
    }

    private StatelessAgent statelessAgent() {
        return new StatelessAgent(rig.probe("/mcp"));
    }

    @Test
    void logOfACallComesBeforeItsAnswerAsItIs() {
        Answer answer = agent().call("github__echo", "{}");

        assertThat(logged(answer)).containsExactly("begun", "odd");
        assertThat(answer.messages().getFirst().path("params"))
                .hasToString(
                        "{\"level\":\"info\",\"logger\":\"x\",\"data\":{\"text\":\"begun\",\"n\":1.0}}");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noOtherAgentReceivesWhatIsLoggedForACall(boolean stateless) throws Exception {
        try (McpProbe.Stream other = agent().listen()) {
            await().until(() -> rig.subscriptions().count() == 1);

            Answer answer =
                    stateless
                            ? statelessAgent().call("github__echo", "{}")
                            : agent().call("github__echo", "{}");
            rig.servers().latest().send(LOGGED, log("info", "later"));

            assertThat(answer.code()).isEqualTo(200);
            assertThat(other.next().at("/params/data/text").asString()).isEqualTo("later");
        }
    }

    /** H-23: a log without a known call is not for any agent that listens. */
    @Test
    void logsOfTwoAgentsAtATimeReachNoOther() throws Exception {
        rig.catalog()
                .putServer(
                        Definitions.withIsolation(
                                McpRig.SERVER, new Isolation(SessionScope.DETECTED, 10)));
        CyclicBarrier both = new CyclicBarrier(2);
        rig.servers()
                .on(
                        "tools/call",
                        (connection, params) -> {
                            String text = params.path("arguments").path("of").asString();
                            meet(both);
                            connection.send(LOGGED, log("info", text));
                            meet(both);
                            return FakeTransports.json("{}");
                        });
        try (McpProbe.Stream other = agent().listen()) {
            await().until(() -> rig.subscriptions().count() == 1);
            Agent anna = agent();
            Agent bert = agent();
            callBoth(anna, bert);

            Map<String, List<String>> received = callBoth(anna, bert);

            assertThat(received)
                    .containsEntry("anna", List.of("anna"))
                    .containsEntry("bert", List.of("bert"));
            rig.putTool(McpRig.SERVER.server(), "{\"name\":\"new\",\"inputSchema\":{}}");
            assertThat(other.next().path("method").asString())
                    .isEqualTo("notifications/tools/list_changed");
        }
    }

    private static void meet(CyclicBarrier barrier) throws InterruptedException {
        try {
            barrier.await();
        } catch (BrokenBarrierException e) {
            throw new AssertionError(e);
        }
    }

    /** The logs that each received while both called. */
    private static Map<String, List<String>> callBoth(Agent anna, Agent bert) throws Exception {
        FutureTask<Answer> call =
                new FutureTask<>(() -> anna.call("github__echo", "{\"of\": \"anna\"}"));
        Thread.startVirtualThread(call);
        Answer answer = bert.call("github__echo", "{\"of\": \"bert\"}");
        return Map.of("anna", logged(call.get()), "bert", logged(answer));
    }

    @Test
    void agentOfTheNewestRevisionGetsOnlyWhatItAsksFor() {
        StatelessAgent agent = statelessAgent();

        assertThat(logged(agent.call("github__echo", "{}"))).isEmpty();
        assertThat(logged(agent.receiving("warning").call("github__echo", "{}")))
                .containsExactly("odd");
        assertThat(logged(agent.receiving("debug").call("github__echo", "{}")))
                .containsExactly("begun", "odd");
    }

    @Test
    void levelThatIsNoneIsRefusedWithThoseThatThereAre() {
        Answer answer = statelessAgent().receiving("loud").call("github__echo", "{}");

        assertThat(answer.at("/error/code")).isEqualTo("-32602");
        assertThat(answer.at("/error/message"))
                .isEqualTo(
                        "\"params._meta.io.modelcontextprotocol/logLevel\" must be one of [debug,"
                            + " info, notice, warning, error, critical, alert, emergency], and is"
                            + " \"loud\"");
        assertThat(agent().ask("logging/setLevel", "{\"level\": 7}").at("/error/message"))
                .startsWith("\"params.level\" must be one of [debug,")
                .endsWith("and is 7");
        assertThat(rig.servers().made()).isEmpty();
    }

    @Test
    void levelOfASessionHoldsForItsCallsAndWhatItListensTo() throws Exception {
        Agent agent = agent();
        assertThat(agent.ask("logging/setLevel", "{\"level\": \"warning\"}").at("/result"))
                .isEqualTo("{}");
        assertThat(rig.servers().made()).isEmpty(); // a namespace leaves its servers as they are

        assertThat(logged(agent.call("github__echo", "{}"))).containsExactly("odd");
        assertThat(logged(agent().call("github__echo", "{}"))).containsExactly("begun", "odd");
        try (McpProbe.Stream stream = agent.listen()) {
            await().until(() -> rig.subscriptions().count() == 1);
            rig.servers().latest().send(LOGGED, log("info", "small"));
            rig.servers().latest().send(LOGGED, log("error", "grave"));

            assertThat(stream.next().at("/params/data/text").asString()).isEqualTo("grave");
        }
    }

    @Test
    void olderServerGetsTheLevelAtItsOwnEndpoint() {
        rig.agent(GITHUB, "2025-11-25").ask("logging/setLevel", "{\"level\": \"debug\"}");

        assertThat(rig.servers().count("logging/setLevel")).isEqualTo(1);
    }

    @Test
    void newerServerGetsTheLevelOfASessionWithItsCalls() {
        rig.catalog()
                .putIdentity(
                        McpRig.SERVER.server(),
                        new ServerIdentity(
                                "2026-07-28",
                                FakeTransports.json("{}"),
                                FakeTransports.json("{\"tools\": {}, \"logging\": {}}"),
                                ""));
        rig.servers()
                .on(
                        "server/discover",
                        (c, params) ->
                                FakeTransports.json(
                                        """
                                        {"resultType": "complete", "supportedVersions": ["2026-07-28"],
                                         "capabilities": {"tools": {}, "logging": {}}}
                                        """));
        Agent agent = rig.agent(GITHUB, "2025-11-25");

        assertThat(agent.ask("logging/setLevel", "{\"level\": \"notice\"}").at("/result"))
                .isEqualTo("{}");
        assertThat(logged(agent.call("echo", "{}"))).containsExactly("odd");

        JsonNode meta = rig.servers().latest().requests().getLast().params().path("_meta");
        assertThat(meta.path("io.modelcontextprotocol/logLevel").asString()).isEqualTo("notice");
        assertThat(rig.servers().count("logging/setLevel")).isZero();
    }
}
