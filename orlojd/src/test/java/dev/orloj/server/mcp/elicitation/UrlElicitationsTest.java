package dev.orloj.server.mcp.elicitation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.runtime.client.ServerRequestPolicy;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.server.mcp.Agent;
import dev.orloj.server.mcp.McpProbe;
import dev.orloj.server.mcp.McpProbe.Answer;
import dev.orloj.server.mcp.McpRig;
import dev.orloj.server.mcp.StatelessAgent;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server of 2025-11-25 that wants its user to visit a page. */
@Timeout(60)
class UrlElicitationsTest {

    private static final String VISITS = "{\"elicitation\": {\"url\": {}}}";
    private static final String PAGE =
            """
            {"mode": "url", "elicitationId": "e-1", "url": "https://a.example", "message": "Log in"}\
            """;

    private final McpRig rig = McpRig.withLongTimeout();

    /** Params of its calls. */
    private final List<JsonNode> calls = new CopyOnWriteArrayList<>();

    private volatile boolean visited = false;

    UrlElicitationsTest() {
        rig.servers()
                .on(
                        "tools/call",
                        (_, params) -> {
                            calls.add(params);
                            if (visited) {
                                return FakeTransports.json("{\"content\": []}");
                            }
                            throw new JsonRpcException(
                                    new JsonRpcError(
                                            -32042,
                                            "Visit a page",
                                            FakeTransports.json(
                                                    "{\"elicitations\": [" + PAGE + "]}")));
                        });
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private StatelessAgent newer(String capabilities) {
        return new StatelessAgent(rig.probe("/mcp"), capabilities);
    }

    private Agent older() {
        return Agent.initialize(rig.probe("/mcp"), "2025-11-25", VISITS);
    }

    private static Answer call(StatelessAgent agent, String round) {
        return agent.ask(
                "tools/call",
                "\"name\": \"github__echo\", \"arguments\": {}" + round,
                "Mcp-Name",
                "github__echo");
    }

    @Test
    void isARoundForAgentsThatHaveRounds() {
        Answer asked = call(newer(VISITS), "");

        assertThat(asked.at("/result"))
                .isEqualTo(
                        "{\"resultType\":\"input_required\",\"inputRequests\":{\"orloj-url-1\":{\"method\":\"elicitation/create\",\"params\":{\"mode\":\"url\",\"url\":\"https://a.example\",\"message\":\"Log"
                            + " in\"}}}}");
        visited = true;
        Answer done =
                call(
                        newer(VISITS),
                        ", \"inputResponses\": {\"orloj-url-1\": {\"action\": \"accept\"}}");
        assertThat(done.at("/result/resultType")).isEqualTo("complete");
        assertThat(calls).hasSize(2);
        assertThat(calls.getLast().has("inputResponses")).isFalse();
    }

    @Test
    void serverIsLeftAloneWhenTheUserDeclines() {
        call(newer(VISITS), "");

        Answer declined =
                call(
                        newer(VISITS),
                        ", \"inputResponses\": {\"orloj-url-1\": {\"action\": \"decline\"}}");

        assertThat(declined.at("/result/isError")).isEqualTo("true");
        assertThat(calls).hasSize(1);
    }

    @Test
    void agentThatCannotBeSentToPagesLearnsWhatIsMissing() {
        Answer answer = call(newer("{\"elicitation\": {}}"), "");

        assertThat(answer.code()).isEqualTo(400);
        assertThat(answer.at("/error"))
                .isEqualTo(
                        "{\"code\":-32021,\"message\":\"Visit a"
                            + " page\",\"data\":{\"requiredCapabilities\":{\"elicitation\":{\"url\":{}}}}}");
    }

    @Test
    void isRejectedWithTheRestOfElicitation() {
        rig.catalog()
                .putServer(
                        Definitions.withBridge(
                                McpRig.SERVER,
                                new ServerRequestPolicy(Set.of(), Set.of("elicitation"))));

        Answer older = older().call("github__echo", "{}");
        Answer newer = call(newer(VISITS), "");

        assertThat(older.at("/error/code")).isEqualTo("-32603");
        assertThat(newer.at("/error/message")).contains("which its spec.bridge rejects");
    }

    @Test
    void onlyTheClientThatWasAskedLearnsOfTheVisit() throws Exception {
        Agent asked = older();
        Agent other = older();
        assertThat(asked.call("github__echo", "{}").at("/error/code")).isEqualTo("-32042");
        try (McpProbe.Stream toAsked = asked.listen();
                McpProbe.Stream toOther = other.listen()) {

            completeElicitation();
            completeElicitation();
            rig.servers().latest().send("notifications/message", FakeTransports.json("{}"));

            JsonNode reported = toAsked.next();
            assertThat(reported.path("method").asString())
                    .isEqualTo("notifications/elicitation/complete");
            assertThat(reported.path("params").toString()).isEqualTo("{\"elicitationId\":\"e-1\"}");
            assertThat(toAsked.next().path("method").asString()).isEqualTo("notifications/message");
            assertThat(toOther.next().path("method").asString()).isEqualTo("notifications/message");
        }
    }

    @Test
    void clientThatWasAskedDuringACallIsNotifiedToo() throws Exception {
        rig.catalog()
                .putServer(
                        Definitions.withBridge(
                                McpRig.SERVER,
                                new ServerRequestPolicy(Set.of("elicitation"), Set.of())));
        rig.servers()
                .on(
                        "tools/call",
                        (connection, _) -> {
                            connection
                                    .ask(7, "elicitation/create", FakeTransports.json(PAGE))
                                    .join();
                            return FakeTransports.json("{\"content\": []}");
                        });
        Agent agent = older();
        try (McpProbe.Stream call = agent.openCall("github__echo", "{}")) {
            agent.answer(call.next(), "{\"action\": \"accept\"}");
            call.next();
        }
        try (McpProbe.Stream stream = agent.listen()) {

            completeElicitation();

            assertThat(stream.next().path("method").asString())
                    .isEqualTo("notifications/elicitation/complete");
        }
    }

    private void completeElicitation() {
        rig.servers()
                .latest()
                .send(
                        "notifications/elicitation/complete",
                        FakeTransports.json("{\"elicitationId\": \"e-1\"}"));
    }
}
