package dev.orloj.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.runtime.client.ServerRequestPolicy;
import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransport;
import dev.orloj.runtime.testkit.FakeTransports;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;

/** Agents of revisions with sessions, which servers of any revision ask for something. */
@Timeout(60)
class AskedAgentsTest {

    private static final String ELICIT = "elicitation/create";

    private final McpRig rig = new McpRig();
    private final CompletableFuture<JsonNode> answerToServer = new CompletableFuture<>();

    @AfterEach
    void stop() {
        rig.close();
    }

    private Agent agent(String capabilities) {
        return Agent.initialize(rig.probe("/mcp"), "2025-11-25", capabilities);
    }

    /** A server of an older revision that asks in every call, and whose result is the answer. */
    private void serverAsks(String method, String params) {
        rig.catalog()
                .putServer(
                        Definitions.withBridge(
                                McpRig.SERVER,
                                new ServerRequestPolicy(
                                        Set.of("elicitation", "sampling", "roots"), Set.of())));
        rig.servers().on("tools/call", (connection, _) -> ask(connection, method, params));
    }

    private JsonNode ask(FakeTransport connection, String method, String params)
            throws InterruptedException {
        try {
            JsonNode answer =
                    JsonRpcCodec.toTree(
                            connection.ask(99, method, FakeTransports.json(params)).get());
            answerToServer.complete(answer);
            ObjectNode result = (ObjectNode) FakeTransports.json("{\"content\": []}");
            result.set("structuredContent", answer);
            return result;
        } catch (ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whatAnOlderServerAsksReachesTheAgentOfTheCall() throws Exception {
        serverAsks(ELICIT, "{\"message\": \"Who?\", \"x\": 1.50}");
        Agent agent = agent("{\"elicitation\": {}}");
        try (McpProbe.Stream call = agent.openCall("github__echo", "{}")) {

            JsonNode question = call.next();

            assertThat(question.path("method").asString()).isEqualTo(ELICIT);
            assertThat(question.path("params").toString())
                    .isEqualTo("{\"message\":\"Who?\",\"x\":1.50}");

            McpProbe.Answer taken =
                    agent.answer(question, "{\"action\": \"accept\", \"content\": {\"n\": 1.50}}");

            assertThat(taken.code()).isEqualTo(202);
            assertThat(call.next().at("/result/structuredContent").toString())
                    .isEqualTo(
                            "{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{\"action\":\"accept\",\"content\":{\"n\":1.50}}}");
        }
    }

    @Test
    void errorOfTheAgentReachesTheServer() throws Exception {
        serverAsks("sampling/createMessage", "{}");
        Agent agent = agent("{\"sampling\": {}}");
        try (McpProbe.Stream call = agent.openCall("github__echo", "{}")) {
            agent.send(
                    "{\"jsonrpc\": \"2.0\", \"id\": %s, \"error\": {\"code\": -1, \"message\": \"No\"}}"
                            .formatted(call.next().path("id")));

            assertThat(call.next().at("/result/structuredContent/error").toString())
                    .isEqualTo("{\"code\":-1,\"message\":\"No\"}");
        }
    }

    @Test
    void agentIsNotAskedWhatItDidNotDeclare() {
        serverAsks("roots/list", "{}");

        McpProbe.Answer answer = agent("{\"elicitation\": {}}").call("github__echo", "{}");

        assertThat(answer.at("/result/structuredContent/error/code")).isEqualTo("-32601");
    }

    @Test
    void anotherSessionCannotAnswer() throws Exception {
        serverAsks(ELICIT, "{\"message\": \"Who?\"}");
        Agent agent = agent("{\"elicitation\": {}}");
        try (McpProbe.Stream call = agent.openCall("github__echo", "{}")) {
            JsonNode question = call.next();

            agent("{\"elicitation\": {}}").answer(question, "{\"action\": \"accept\"}");
            assertThat(answerToServer).isNotDone();

            agent.answer(question, "{\"action\": \"decline\"}");
            assertThat(call.next().at("/result/structuredContent/result/action").asString())
                    .isEqualTo("decline");
        }
    }

    @Test
    void agentThatCancelsItsCallGetsItsRequestCancelled() throws Exception {
        serverAsks(ELICIT, "{\"message\": \"Who?\"}");
        Agent agent = agent("{\"elicitation\": {}}");
        try (McpProbe.Stream call = agent.openCall("github__echo", "{}")) {
            JsonNode question = call.next();

            agent.send(
                    """
                    {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
                    """);

            assertThat(answerToServer.get().has("error")).isTrue();
            assertThat(question.has("id")).isTrue();
        }
    }

    @Test
    void newerServerReceivesTheAnswersInItsNextRound() throws Exception {
        List<JsonNode> rounds = new CopyOnWriteArrayList<>();
        rig.servers()
                .on(
                        "server/discover",
                        (_, _) ->
                                FakeTransports.json(
                                        """
                                        {"resultType": "complete", "supportedVersions": ["2026-07-28"],
                                         "capabilities": {"tools": {}}}\
                                        """))
                .on(
                        "tools/call",
                        (_, params) -> {
                            rounds.add(params);
                            return FakeTransports.json(
                                    params.has("inputResponses")
                                            ? "{\"resultType\": \"complete\", \"content\": []}"
                                            : """
                                            {"resultType": "input_required", "requestState": "s",
                                             "inputRequests": {
                                               "who": {"method": "elicitation/create",
                                                "params": {"mode": "url", "url": "https://a", "message": "Go"}},
                                               "where": {"method": "roots/list"}}}
                                            """);
                        });
        Agent agent = agent("{\"elicitation\": {\"url\": {}}, \"roots\": {\"listChanged\": true}}");
        try (McpProbe.Stream call = agent.openCall("github__echo", "{\"a\": 1}")) {
            JsonNode who = call.next();
            assertThat(who.at("/params/url").asString()).isEqualTo("https://a");
            assertThat(who.at("/params/elicitationId").isString()).isTrue();
            agent.answer(who, "{\"action\": \"accept\"}");
            JsonNode where = call.next();
            assertThat(where.path("method").asString()).isEqualTo("roots/list");
            agent.answer(where, "{\"roots\": []}");

            assertThat(call.next().path("result").toString()).isEqualTo("{\"content\":[]}");
        }
        assertThat(rounds).hasSize(2);
        assertThat(rounds.getFirst().at("/_meta/io.modelcontextprotocol~1clientCapabilities"))
                .hasToString("{\"elicitation\":{\"url\":{}},\"roots\":{}}");
        ObjectNode second = (ObjectNode) rounds.getLast();
        assertThat(second.path("inputResponses"))
                .hasToString("{\"who\":{\"action\":\"accept\"},\"where\":{\"roots\":[]}}");
        assertThat(second.path("requestState").asString()).isEqualTo("s");
        assertThat(second.path("arguments")).hasToString("{\"a\":1}");
    }

    @Test
    void newerServerThatNeverKnowsEnoughIsLeftAlone() throws Exception {
        rig.servers()
                .on(
                        "server/discover",
                        (_, _) ->
                                FakeTransports.json(
                                        """
                                        {"supportedVersions": ["2026-07-28"], "capabilities": {}}
                                        """))
                .on(
                        "tools/call",
                        (_, _) ->
                                FakeTransports.json(
                                        """
                                        {"resultType": "input_required", "requestState": "again"}
                                        """));

        McpProbe.Answer answer = agent("{}").call("github__echo", "{}");

        assertThat(answer.at("/error/message"))
                .isEqualTo("Server \"github\" still needs input after 10 rounds");
        assertThat(rig.servers().count("tools/call")).isEqualTo(11);
    }
}
