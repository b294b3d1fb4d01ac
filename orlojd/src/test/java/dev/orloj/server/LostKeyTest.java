package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.server.testing.OrlojdProcess;
import dev.orloj.server.testing.RestClient;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A database whose key is gone serves what needs no Secret, and says what it needs. */
class LostKeyTest {

    private static final String SERVERS = RestClient.collection("default", "mcpservers") + "/";
    private static final String SECRETS = RestClient.collection("default", "secrets") + "/";

    @TempDir private Path directory;

    @Test
    void orlojdStartsWithoutItsKeyAndServesTheRest() throws Exception {
        try (OrlojdProcess orlojd = OrlojdProcess.start(directory)) {
            orlojd.client()
                    .create(
                            "default",
                            "secrets",
                            """
                            apiVersion: orloj.dev/v1
                            kind: Secret
                            metadata: {name: s}
                            spec: {data: {value: hunter2}}
                            """);
            orlojd.client()
                    .create(
                            "default",
                            "mcpservers",
                            """
                            apiVersion: orloj.dev/v1
                            kind: McpServer
                            metadata: {name: needs-it}
                            spec: {transport: stdio, command: cat, env: [{name: A, secretRef: s}]}
                            """);
        }
        Path file = directory.resolve("secret.key");
        String key = Files.readString(file);
        Files.delete(file);

        try (OrlojdProcess orlojd = OrlojdProcess.start(directory)) {
            RestClient client = orlojd.client();
            assertThat(file).doesNotExist();
            assertThat(Files.readString(OrlojdProcess.log(directory)))
                    .contains("does not have the key");
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(
                            () ->
                                    assertThat(accepted(client).path("reason").asString(""))
                                            .isEqualTo("EncryptionKeyMissing"));
            assertThat(client.get(SECRETS + "s").expect(200).body().toString())
                    .contains("orloj.dev/missing-encryption-key")
                    .doesNotContain("hunter2");
            assertThat(client.get(SERVERS + "needs-it").expect(200).body().isObject()).isTrue();
            assertThat(client.text("/readyz?verbose"))
                    .contains("[-]encryption-key failed", "does not have the key", file.toString())
                    .contains("readyz check passed");
        }

        Files.writeString(file, key);
        try (OrlojdProcess orlojd = OrlojdProcess.start(directory)) {
            assertThat(orlojd.client().get(SECRETS + "s").expect(200).body().toString())
                    .doesNotContain("missing-encryption-key")
                    .contains("value");
        }
    }

    private static JsonNode accepted(RestClient client) {
        for (JsonNode each :
                client.get(SERVERS + "needs-it").expect(200).body().at("/status/conditions")) {
            if (each.path("type").asString("").equals("Accepted")) {
                return each;
            }
        }
        return tools.jackson.databind.node.MissingNode.getInstance();
    }
}
