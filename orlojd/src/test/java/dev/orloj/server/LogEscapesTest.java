package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.testing.OrlojdProcess;
import dev.orloj.server.testing.RestClient;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** H-18: what a manifest says reaches the log as text. */
class LogEscapesTest {

    private static final String HOSTILE = "no-such\u001b[2J\u009b31m\u202e\u0007-program";

    @TempDir Path folder;

    @Test
    void terminalOfTheLogObeysNoManifest() throws Exception {
        Path log = folder.resolve("orlojd.log");
        try (OrlojdProcess orlojd = OrlojdProcess.start(folder)) {
            orlojd.client()
                    .post(
                            RestClient.collection("default", "mcpservers"),
                            Map.of(
                                    "kind",
                                    "McpServer",
                                    "metadata",
                                    Map.of("name", "hostile"),
                                    "spec",
                                    Map.of(
                                            "transport",
                                            "stdio",
                                            "command",
                                            HOSTILE,
                                            "args",
                                            List.of("line\nforged"))))
                    .expect(201);

            await().atMost(Duration.ofSeconds(60))
                    .until(() -> Files.readString(log).contains("no-such"));
            orlojd.stop();
        }
        assertThat(Files.readString(log))
                .contains("no-such\\u001b[2J\\u009b31m\\u202e\\u0007-program")
                .doesNotContain("\u001b", "\u009b", "\u202e", "\u0007");
    }
}
