package dev.orloj.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.cli.command.Orlojctl;
import dev.orloj.cli.output.Console;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.JsonNode;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.FutureTask;

/** {@code orlojctl mcp} before the MCP endpoints of orlojd. */
@Timeout(60)
class StdioBridgeTest {

    private static final String INITIALIZE =
            """
            {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
            "capabilities":{},"clientInfo":{"name":"test","version":"1"}}}\
            """;

    private final McpRig rig = new McpRig();
    private final Client client = new Client();

    @AfterEach
    void stop() throws Exception {
        client.toBridge.close();
        rig.close();
    }

    /** What a desktop client does with a program that it starts. */
    private final class Client {

        private final PipedOutputStream toBridge = new PipedOutputStream();
        private final BufferedReader fromBridge;
        private final FutureTask<Integer> bridge;

        Client() {
            try {
                PipedInputStream stdin = new PipedInputStream(toBridge, 1 << 16);
                PipedOutputStream stdout = new PipedOutputStream();
                fromBridge =
                        new BufferedReader(
                                new InputStreamReader(
                                        new PipedInputStream(stdout, 1 << 16),
                                        StandardCharsets.UTF_8));
                Console console =
                        new Console(
                                stdin,
                                new PrintStream(stdout, false, StandardCharsets.UTF_8),
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

        JsonNode next() throws IOException {
            return Json.MAPPER.readTree(fromBridge.readLine());
        }
    }

    private void introduce() throws IOException {
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

    @Test
    void changesAreToldAndTheEndpointKnowsWhenTheClientHasGone() throws Exception {
        introduce();
        await().until(() -> rig.subscriptions().count() == 1);

        rig.putTool(McpRig.SERVER.server(), "{\"name\": \"new\", \"inputSchema\": {}}");
        assertThat(client.next().path("method").asString())
                .isEqualTo("notifications/tools/list_changed");

        client.toBridge.close();
        assertThat(client.bridge.get()).isZero();
        await().until(() -> rig.subscriptions().count() == 0);
    }
}
