package dev.orloj.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.client.ServerRequestPolicy;
import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.session.SessionInfo;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransports;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientSseClientTransport;
import io.modelcontextprotocol.spec.McpSchema;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/** Agents that know nothing newer than the HTTP+SSE of 2024-11-05. */
@Timeout(60)
class SseAgentsTest {

    private static final String ENDPOINT = "/mcp/default/mcpservers/github";

    private final McpRig rig = new McpRig();

    @BeforeEach
    void openTheDoor() {
        rig.catalog().openToSse(McpRig.SERVER.server(), true);
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    /** An agent whose stream is open, which says {@code initialize}. */
    private final class SseAgent implements AutoCloseable {

        private final McpProbe.Stream stream;
        private final String messages;

        SseAgent(String capabilities) throws IOException {
            stream = rig.probe(ENDPOINT + "/sse").open("GET", "");
            assertThat(stream.code()).isEqualTo(200);
            messages = stream.nextData();
            post(
                    """
                    {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params":
                      {"protocolVersion": "2024-11-05", "capabilities": %s,
                       "clientInfo": {"name": "test", "version": "1"}}}
                    """
                            .formatted(capabilities));
        }

        void post(String message) {
            assertThat(rig.probe(messages).post(message).code()).isEqualTo(202);
        }

        JsonNode next() throws IOException {
            return stream.next();
        }

        @Override
        public void close() throws IOException {
            stream.close();
        }
    }

    @Test
    void officialClientOfThatRevisionIsServed() {
        rig.servers().on("tools/call", (connection, params) -> params);
        try (McpSyncClient client =
                McpClient.sync(
                                HttpClientSseClientTransport.builder(rig.url())
                                        .sseEndpoint(ENDPOINT + "/sse")
                                        .build())
                        .requestTimeout(Duration.ofSeconds(20))
                        .build()) {

            assertThat(client.initialize().protocolVersion()).isEqualTo("2024-11-05");
            assertThat(client.listTools().tools())
                    .extracting(McpSchema.Tool::name)
                    .containsExactly("echo");
            client.callTool(new McpSchema.CallToolRequest("echo", Map.of("a", 1)));
        }
        assertThat(rig.servers().latest().received()).contains("tools/call");
    }

    @Test
    void whatIsPostedIsAnsweredOnTheStream() throws Exception {
        try (SseAgent agent = new SseAgent("{}")) {
            assertThat(agent.messages).startsWith(ENDPOINT + "/messages?sessionId=");
            JsonNode introduction = agent.next();
            assertThat(introduction.at("/result/protocolVersion").asString())
                    .isEqualTo("2024-11-05");

            agent.post(Agent.request("tools/list", "{}"));
            assertThat(agent.next().at("/result/tools/0/name").asString()).isEqualTo("echo");

            agent.post(Agent.request("none/such", "{}"));
            assertThat(agent.next().at("/error/code").asInt()).isEqualTo(-32601);
        }
    }

    @Test
    void changesAreReportedOnTheStream() throws Exception {
        try (SseAgent agent = new SseAgent("{}")) {
            agent.next();

            rig.putTool(
                    McpRig.SERVER.server(),
                    "{\"name\": \"more\", \"inputSchema\": {\"type\": \"object\"}}");

            assertThat(agent.next().path("method").asString())
                    .isEqualTo("notifications/tools/list_changed");
        }
    }

    @Test
    void whatIsLoggedForItsCallIsReportedOnce() throws Exception {
        rig.servers()
                .on(
                        "tools/call",
                        (connection, params) -> {
                            connection.send(
                                    "notifications/message",
                                    FakeTransports.json("{\"level\": \"info\", \"data\": 1}"));
                            return FakeTransports.echo(params);
                        });
        try (SseAgent agent = new SseAgent("{}")) {
            agent.next();

            agent.post(Agent.request("tools/call", "{\"name\": \"echo\"}"));

            assertThat(agent.next().path("method").asString()).isEqualTo("notifications/message");
            assertThat(agent.next().has("result")).isTrue();
        }
    }

    @Test
    void serverMayAskTheAgentBack() throws Exception {
        rig.catalog()
                .putServer(
                        Definitions.withBridge(
                                McpRig.SERVER,
                                new ServerRequestPolicy(Set.of("sampling"), Set.of())));
        rig.servers()
                .on(
                        "tools/call",
                        (connection, _) -> {
                            ObjectNode result =
                                    (ObjectNode) FakeTransports.json("{\"content\": []}");
                            result.set(
                                    "answer",
                                    JsonRpcCodec.toTree(
                                            connection
                                                    .ask(
                                                            9,
                                                            "sampling/createMessage",
                                                            FakeTransports.json("{\"n\": 1}"))
                                                    .join()));
                            return result;
                        });
        try (SseAgent agent = new SseAgent("{\"sampling\": {}}")) {
            agent.next();
            agent.post(Agent.request("tools/call", "{\"name\": \"echo\"}"));

            JsonNode question = agent.next();
            assertThat(question.path("method").asString()).isEqualTo("sampling/createMessage");
            agent.post(
                    "{\"jsonrpc\": \"2.0\", \"id\": %s, \"result\": {\"role\": \"x\"}}"
                            .formatted(question.path("id")));

            assertThat(agent.next().at("/result/answer/result/role").asString()).isEqualTo("x");
        }
    }

    @Test
    void streamThatClosesTakesItsRequestsAlong() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        rig.servers()
                .on(
                        "tools/call",
                        (connection, params) -> {
                            never.await();
                            return params;
                        });
        try (SseAgent agent = new SseAgent("{}")) {
            agent.next();
            agent.post(Agent.request("tools/call", "{\"name\": \"echo\"}"));
            await().until(() -> inFlight() == 1);
            assertThat(rig.connections().count()).isEqualTo(1);
        }

        await().until(() -> inFlight() == 0);
        await().until(() -> rig.connections().count() == 0);
        await().until(() -> rig.subscriptions().count() == 0);
    }

    private int inFlight() {
        return rig.sessions().sessions(McpRig.SERVER.server()).stream()
                .mapToInt(SessionInfo::inFlight)
                .sum();
    }

    @Test
    void stopOfOrlojdEndsTheStream() throws Exception {
        try (SseAgent agent = new SseAgent("{}")) {
            agent.next();

            rig.stopStreams();

            assertThatThrownBy(agent::next).hasMessage("The stream ended");
        }
        await().until(() -> rig.connections().count() == 0);
    }

    @Test
    void sessionIsGoodForItsOwnEndpointWhileItsStreamIsOpen() throws Exception {
        String ping = Agent.request("ping", "{}");
        String messages;
        try (SseAgent agent = new SseAgent("{}")) {
            messages = agent.messages;
            String elsewhere = messages.replace(ENDPOINT, "/mcp/default");
            assertThat(rig.probe(elsewhere).post(ping).code()).isEqualTo(404);
        }
        await().until(() -> rig.connections().count() == 0);

        assertThat(rig.probe(messages).post(ping).code()).isEqualTo(404);
        assertThat(rig.probe(ENDPOINT + "/messages").post(ping).code()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {ENDPOINT + "/sse", "/mcp/default/sse", ENDPOINT + "/messages"})
    void doorIsClosedUnlessItIsOpened(String path) {
        rig.catalog().openToSse(McpRig.SERVER.server(), false);
        String method = path.endsWith("sse") ? "GET" : "POST";

        McpProbe.Answer answer = rig.probe(path).send(method, "{}");

        assertThat(answer.code()).isEqualTo(404);
        assertThat(answer.at("/error/message")).contains("expose: [sse]", "--expose-sse");
    }

    @Test
    void streamIsOnlyForThoseWhoTakeStreams() {
        McpProbe.Answer answer =
                rig.probe(ENDPOINT + "/sse").send("GET", "", "Accept", "application/json");

        assertThat(answer.code()).isEqualTo(406);
        assertThat(answer.at("/error/message")).contains("text/event-stream");
    }

    @Test
    void revisionIsListedWhereItIsServed() {
        assertThat(versions(ENDPOINT)).endsWith("\"2024-11-05\"]");
        assertThat(versions("/mcp")).doesNotContain("2024-11-05");
    }

    private String versions(String path) {
        return rig.probe(path)
                .post(
                        StatelessAgent.request("server/discover", ""),
                        "MCP-Protocol-Version",
                        "2026-07-28",
                        "Mcp-Method",
                        "server/discover")
                .at("/result/supportedVersions");
    }
}
