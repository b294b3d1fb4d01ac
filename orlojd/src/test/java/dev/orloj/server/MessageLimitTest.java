package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** H-06: the longest message of each server. */
class MessageLimitTest {

    private static final String PROGRAM =
            """
            import json, sys
            for line in sys.stdin:
                message = json.loads(line)
                method, result = message.get("method"), {}
                if method == "initialize":
                    result = {"protocolVersion": message["params"]["protocolVersion"],
                              "capabilities": {"tools": {}},
                              "serverInfo": {"name": "long", "version": "1"}}
                elif method == "tools/list":
                    result = {"tools": [{"name": "say", "inputSchema": {"type": "object"}}]}
                elif method == "tools/call":
                    text = "x" * message["params"]["arguments"]["length"]
                    result = {"content": [{"type": "text", "text": text}]}
                if "id" in message:
                    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
            """;

    @TempDir private Path folder;

    private static RestClient.Answer say(RunningOrlojd orlojd, String server, int length) {
        return orlojd.client().call("default", server + "--say", "{\"length\": " + length + "}");
    }

    @Test
    void eachServerHasALimitOfItsOwnBelowThatOfAll() throws Exception {
        Path program = Files.writeString(folder.resolve("long.py"), PROGRAM);
        List<String> command = List.of("python3", "-S", program.toString());
        try (RunningOrlojd orlojd = RunningOrlojd.start()) {
            RestClient client = orlojd.client();
            String own = RunningOrlojd.stdio("own", command, "max_message_bytes: 65536");
            client.create("default", "mcpservers", own);
            client.create("default", "mcpservers", RunningOrlojd.stdio("usual", command));
            orlojd.awaitReady("default", "own");
            orlojd.awaitReady("default", "usual");

            assertThat(say(orlojd, "own", 60_000).code()).isEqualTo(200);
            assertThat(say(orlojd, "usual", 70_000).code()).isEqualTo(200);
            assertThat(say(orlojd, "own", 70_000).expect(503).text())
                    .contains("65536", "spec.max_message_bytes");

            String path = RestClient.collection("default", "mcpservers") + "/own";
            RestClient.Answer more =
                    client.patch(path, "{\"spec\": {\"max_message_bytes\": 16777217}}");
            assertThat(more.expect(422).text())
                    .contains("spec.max_message_bytes", "16777217", "orloj.messages.max-size");
            client.patch(path, "{\"spec\": {\"max_message_bytes\": 131072}}").expect(200);
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> say(orlojd, "own", 70_000).code() == 200);
        }
    }
}
