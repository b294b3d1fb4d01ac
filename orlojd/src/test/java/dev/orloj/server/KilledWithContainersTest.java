package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.Docker;
import dev.orloj.runtime.testkit.NeedsDocker;
import dev.orloj.server.testing.OrlojdProcess;
import dev.orloj.server.testing.RestClient;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is left of containers when orlojd is killed. */
@NeedsDocker
class KilledWithContainersTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final Path SECRETS = Path.of("/dev/shm");
    private static final int SERVERS = 20;

    @TempDir Path folder;

    @Test
    void nothingIsLeftFiveSecondsAfterTheNextStart() throws Exception {
        Set<String> before = containers();
        Set<Path> secretsBefore = secretFolders();
        Set<String> left;
        try (OrlojdProcess orlojd = OrlojdProcess.start(folder.resolve("data"))) {
            RestClient client = orlojd.client();
            createSecret(client);
            for (int i = 0; i < SERVERS; i++) {
                createServer(client, "s" + i);
            }
            await().atMost(TIMEOUT).until(() -> readyServers(client) == SERVERS);
            // They do not heed the end of stdin, which the death of orlojd is for them.
            for (int i = 0; i < SERVERS; i++) {
                client.call("default", "s" + i + "--ignore-end", "{}").expect(200);
            }
            orlojd.kill();
        }
        left = containers();
        left.removeAll(before);
        assertThat(left).as("what a killed orlojd leaves").hasSize(SERVERS);
        assertThat(secretFolders()).hasSizeGreaterThan(secretsBefore.size());

        try (OrlojdProcess orlojd = OrlojdProcess.start(folder.resolve("data"))) {
            await().atMost(Duration.ofSeconds(5))
                    .untilAsserted(
                            () -> assertThat(containers()).doesNotContainAnyElementsOf(left));
            // Those of the new run are not there for the servers of the old one.
            assertThat(orlojd.stop()).isZero();
        }
        assertThat(containers()).isEqualTo(before);
        assertThat(secretFolders()).isEqualTo(secretsBefore);
    }

    private static void createSecret(RestClient client) {
        String value =
                Base64.getEncoder().encodeToString("s3cret".getBytes(StandardCharsets.UTF_8));
        client.create(
                "default",
                "secrets",
                """
                apiVersion: orloj.dev/v1
                kind: Secret
                metadata: {name: creds}
                spec: {data: {key: %s}}
                """
                        .formatted(value));
    }

    private static void createServer(RestClient client, String name) {
        client.create(
                "default",
                "mcpservers",
                """
                apiVersion: orloj.dev/v1
                kind: McpServer
                metadata: {name: %s}
                spec:
                  transport: stdio
                  image: orloj-test/server
                  network: {mode: none}
                  startup_timeout: 60s
                  env: [{name: KEY, secretRef: creds/key, mountPath: /secrets/key}]
                """
                        .formatted(name));
    }

    private static long readyServers(RestClient client) {
        return client.get(RestClient.collection("default", "mcpservers"))
                .expect(200)
                .body()
                .path("items")
                .valueStream()
                .filter(server -> server.at("/status/phase").asString("").equals("Ready"))
                .count();
    }

    private static Set<String> containers() {
        List<String> ids =
                Docker.run("ps", "--all", "--quiet", "--filter", "label=orloj.dev/managed=true")
                        .lines()
                        .toList();
        return new HashSet<>(ids);
    }

    private static Set<Path> secretFolders() {
        try (Stream<Path> entries = Files.list(SECRETS)) {
            return entries.filter(path -> path.getFileName().toString().startsWith("orloj-secrets"))
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
