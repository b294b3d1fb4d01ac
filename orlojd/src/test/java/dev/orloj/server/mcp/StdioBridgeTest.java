package dev.orloj.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.cli.Orlojctl;
import dev.orloj.cli.output.Console;
import dev.orloj.server.testing.ReservedPort;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.JsonNode;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;

/** {@code orlojctl mcp} before the MCP endpoints of orlojd. */
@Timeout(60)
class StdioBridgeTest {

    private static final String INITIALIZE =
            """
            {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
            "capabilities":{},"clientInfo":{"name":"test","version":"1"}}}\
            """;

    private final ReservedPort port = new ReservedPort();
    private McpRig rig = McpRig.at(port.number());
    private final Client client = new Client();

    @AfterEach
    void stop() throws Exception {
        client.toBridge.close();
        rig.close();
        port.close();
    }

    /** What a desktop client does with a program that it starts. */
    private final class Client {

        private final PipedOutputStream toBridge = new PipedOutputStream();
        private final Lines fromBridge = new Lines();
        private final FutureTask<Integer> bridge;

        Client() {
            try {
                PipedInputStream stdin = new PipedInputStream(toBridge, 1 << 16);
                Console console =
                        new Console(
                                stdin,
                                new PrintStream(fromBridge, false, StandardCharsets.UTF_8),
                                System.err,
                                Map.of("ORLOJ_SERVER", rig.url()),
                                InstantSource.system());
                bridge = new FutureTask<>(() -> Orlojctl.run(console, "mcp"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            Thread.ofPlatform().daemon().start(bridge);
        }

        void send(String message) throws IOException {
            toBridge.write((message + "\n").getBytes(StandardCharsets.UTF_8));
            toBridge.flush();
        }

        JsonNode next() throws InterruptedException {
            return Json.MAPPER.readTree(fromBridge.whole.take());
        }
    }

    /** A pipe of the JDK takes its writer for dead when the thread is that wrote last. */
    private static final class Lines extends OutputStream {

        private final BlockingQueue<String> whole = new LinkedBlockingQueue<>();
        private final ByteArrayOutputStream begun = new ByteArrayOutputStream();

        @Override
        public void write(int b) {
            if (b == '\n') {
                whole.add(begun.toString(StandardCharsets.UTF_8));
                begun.reset();
            } else {
                begun.write(b);
            }
        }
    }

    private void introduce() throws Exception {
        client.send(INITIALIZE);
        assertThat(client.next().at("/result/serverInfo/name").asString()).isEqualTo("orloj");
        client.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    }

    @Test
    void newerClientFallsBackAndCallsATool() throws Exception {
        client.send(Agent.request("server/discover", "{}"));
        assertThat(client.next().at("/error/code").asInt()).isEqualTo(-32601);
        introduce();

        client.send(
                Agent.request(
                        "tools/call", "{\"name\": \"github__echo\", \"arguments\": {\"ü\": 1}}"));

        assertThat(client.next().at("/result/content/0/text").asString()).isEqualTo("{\"ü\":1}");
    }

    /** H-24: what comes in several lines of an event is one line here. */
    @Test
    void longAnswerAfterProgressIsOneMessage() throws Exception {
        introduce();
        String block = "{\"type\":\"text\",\"text\":\"%s\"}".formatted("x".repeat(200_000));
        String result =
                "{\"content\":[%s]}"
                        .formatted(
                                String.join(
                                        ",", List.of(block, block, block, block, block, block)));
        rig.servers()
                .on(
                        "tools/call",
                        (connection, params) -> {
                            connection.send(
                                    "notifications/progress",
                                    Json.MAPPER
                                            .createObjectNode()
                                            .put("progress", 1)
                                            .set(
                                                    "progressToken",
                                                    params.at("/_meta/progressToken")));
                            return Json.MAPPER.readTree(result);
                        });

        client.send(
                Agent.request(
                        "tools/call",
                        "{\"name\": \"github__echo\", \"_meta\": {\"progressToken\": 1}}"));

        assertThat(client.next().at("/params/progress").asInt()).isEqualTo(1);
        assertThat(client.next().at("/result")).hasToString(result);
    }

    @Test
    void changesAreReportedAndTheEndpointKnowsWhenTheClientHasGone() throws Exception {
        introduce();
        await().until(() -> rig.subscriptions().count() == 1);

        rig.putTool(McpRig.SERVER.server(), "{\"name\": \"new\", \"inputSchema\": {}}");
        assertThat(client.next().path("method").asString())
                .isEqualTo("notifications/tools/list_changed");

        client.toBridge.close();
        assertThat(client.bridge.get()).isZero();
        await().until(() -> rig.subscriptions().count() == 0);
    }

    @Test
    void restartOfOrlojdBetweenTwoRequestsIsNotNoticed() throws Exception {
        introduce();
        await().until(() -> rig.subscriptions().count() == 1);
        client.send(Agent.request("tools/call", "{\"name\": \"github__echo\"}"));
        assertThat(client.next().has("result")).isTrue();

        rig.close();
        client.send(
                Agent.request(
                        "tools/call", "{\"name\": \"github__echo\", \"arguments\": {\"n\": 2}}"));
        rig = McpRig.at(port.number());

        assertThat(client.next().at("/result/content/0/text").asString()).isEqualTo("{\"n\":2}");
        await().until(() -> rig.subscriptions().count() == 1);
        rig.putTool(McpRig.SERVER.server(), "{\"name\": \"new\", \"inputSchema\": {}}");
        assertThat(client.next().path("method").asString())
                .isEqualTo("notifications/tools/list_changed");
    }
}
