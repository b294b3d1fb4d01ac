package dev.orloj.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.client.ServerRequestPolicy;
import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.testkit.Definitions;
import dev.orloj.runtime.testkit.FakeTransport;
import dev.orloj.runtime.testkit.FakeTransports;
import dev.orloj.server.testing.SlowClient;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;

/** Agents that do not read the answer to a call. */
@Timeout(60)
class SlowAgentsTest {

    /** More than what may wait for an agent, twice, with what is on the way. */
    private static final int MANY = 5_000;

    private final McpRig rig = new McpRig();
    private final CountDownLatch reported = new CountDownLatch(1);

    @AfterEach
    void stop() {
        rig.close();
    }

    private SlowClient call(String capabilities) throws IOException {
        Agent agent = Agent.initialize(rig.probe("/mcp"), "2025-11-25", capabilities);
        return new SlowClient(
                URI.create(rig.url() + "/mcp"),
                Agent.request(
                        "tools/call",
                        "{\"name\": \"github__echo\", \"arguments\": {}, \"_meta\":"
                                + " {\"progressToken\": \"t\"}}"),
                "Accept",
                "application/json, text/event-stream",
                "Mcp-Session-Id",
                agent.session());
    }

    private static List<JsonNode> messages(SlowClient agent) throws IOException {
        String data = String.join("\n", agent.lines("data: "));
        try (MappingIterator<JsonNode> messages =
                Json.MAPPER.readerFor(JsonNode.class).readValues(data)) {
            return messages.readAll();
        }
    }

    private static JsonNode longParams() {
        return Json.MAPPER.createObjectNode().put("message", SlowClient.LONG_TEXT);
    }

    @Test
    void missTheOldestProgressAndGetTheAnswer() throws Exception {
        rig.servers()
                .on(
                        "tools/call",
                        (connection, params) -> {
                            for (int i = 1; i <= MANY; i++) {
                                ObjectNode notification = (ObjectNode) longParams();
                                notification.set(
                                        "progressToken", params.at("/_meta/progressToken"));
                                connection.send(
                                        "notifications/progress", notification.put("progress", i));
                            }
                            reported.countDown();
                            return FakeTransports.json("{\"content\": []}");
                        });
        try (SlowClient agent = call("{}")) {
            reported.await();

            List<JsonNode> received = messages(agent);

            assertThat(received.getLast().at("/result/content").isArray()).isTrue();
            List<Integer> progress =
                    received.stream()
                            .filter(message -> message.has("params"))
                            .map(message -> message.at("/params/progress").asInt())
                            .toList();
            assertThat(progress).isSorted().doesNotHaveDuplicates();
            assertThat(progress.size()).isLessThan(MANY);
            assertThat(progress.getLast()).isEqualTo(MANY);
            assertThat(progress.get(progress.size() - 900)).isEqualTo(MANY - 899);
        }
    }

    /** A thousand of them would be a gibibyte. */
    @Test
    void missLongProgressSooner() throws Exception {
        int count = 40;
        String text = "x".repeat(1024 * 1024);
        rig.servers()
                .on(
                        "tools/call",
                        (connection, params) -> {
                            for (int i = 1; i <= count; i++) {
                                ObjectNode notification = Json.MAPPER.createObjectNode();
                                notification.set(
                                        "progressToken", params.at("/_meta/progressToken"));
                                notification.put("message", text);
                                connection.send(
                                        "notifications/progress", notification.put("progress", i));
                            }
                            reported.countDown();
                            return FakeTransports.json("{\"content\": []}");
                        });
        try (SlowClient agent = call("{}")) {
            reported.await();

            List<JsonNode> received = messages(agent);

            assertThat(received.getLast().at("/result/content").isArray()).isTrue();
            assertThat(received.size()).isLessThan(count);
            assertThat(received.get(received.size() - 2).at("/params/progress").asInt())
                    .isEqualTo(count);
        }
    }

    @Test
    void seeTheEndWhenTheyMissMoreThanNotifications() throws Exception {
        rig.catalog()
                .putServer(
                        Definitions.withBridge(
                                McpRig.SERVER,
                                new ServerRequestPolicy(Set.of("elicitation"), Set.of())));
        rig.servers()
                .on(
                        "tools/call",
                        (connection, _) -> {
                            int i = 1;
                            while (i <= MANY && !isGone(askInVain(connection, i))) {
                                i++;
                            }
                            reported.countDown();
                            return FakeTransports.json("{\"content\": []}");
                        });
        try (SlowClient agent = call("{\"elicitation\": {}}")) {
            reported.await();

            List<JsonNode> received = messages(agent);

            assertThat(received).isNotEmpty().noneMatch(message -> message.has("result"));
            assertThat(received.size()).isLessThan(MANY);
        }
    }

    /** Asks, and takes the question back, which the agent has to receive as well. */
    private static JsonNode askInVain(FakeTransport connection, int id)
            throws InterruptedException {
        var answer = connection.ask(id, "elicitation/create", longParams());
        connection.send(
                "notifications/cancelled", Json.MAPPER.createObjectNode().put("requestId", id));
        try {
            return JsonRpcCodec.toTree(answer.get());
        } catch (ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isGone(JsonNode answer) {
        return answer.at("/error/message").asString().equals("The client is gone");
    }
}
