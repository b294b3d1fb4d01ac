package dev.orloj.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.testkit.NeedsDocker;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The trials of {@code orlojctl check}: their limit, their end, and images that are not there. */
@DisplayName("20.5: trials of orlojctl check")
class OrlojctlCheckTrialsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static RunningOrlojd orlojd;

    @TempDir private Path folder;

    @BeforeAll
    static void start() {
        orlojd = RunningOrlojd.start();
    }

    @AfterAll
    static void stop() {
        orlojd.close();
    }

    private static int port() {
        return URI.create(orlojd.client().url()).getPort();
    }

    private CardServer card(String name) throws IOException {
        return CardServer.in(Files.createDirectory(folder.resolve(name)));
    }

    private OrlojctlRun check(String manifest, String... more) throws IOException {
        Path file = Files.writeString(folder.resolve("checked.yaml"), manifest);
        String[] line = {"check", "-f", file.toString(), "-o", "json", "--timeout", "20s"};
        System.arraycopy(more, 0, line, line.length - more.length, more.length);
        return OrlojctlRun.of(port(), "", line);
    }

    /** Sends a review of a server that never answers, and waits until that runs. */
    private static Socket startTrial(CardServer silent) throws IOException {
        ObjectNode review = Json.MAPPER.createObjectNode();
        review.put("apiVersion", "orloj.dev/v1").put("kind", "McpServerReview");
        ObjectNode spec = review.putObject("spec").put("start", true).put("timeout", "5m");
        ObjectNode manifest = spec.putObject("manifest");
        manifest.put("apiVersion", "orloj.dev/v1").put("kind", "McpServer");
        manifest.putObject("metadata").put("name", "silent");
        ObjectNode server = manifest.putObject("spec").put("transport", "stdio");
        server.put("command", silent.command("silent").getFirst());
        silent.command("silent").stream().skip(1).forEach(server.withArray("args")::add);
        byte[] body = Json.MAPPER.writeValueAsBytes(review);
        Socket client = new Socket(InetAddress.getLoopbackAddress(), port());
        String head =
                """
                POST /apis/orloj.dev/v1/namespaces/default/mcpserverreviews HTTP/1.1\r
                Host: 127.0.0.1:%d\r
                Content-Type: application/json\r
                Content-Length: %d\r
                \r
                """
                        .formatted(port(), body.length);
        client.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        client.getOutputStream().write(body);
        await().atMost(TIMEOUT).until(silent::isRunning);
        return client;
    }

    private static void awaitEnd(CardServer server) {
        await().atMost(TIMEOUT).until(() -> !server.isRunning());
    }

    @Test
    void trialEndsWithItsClient() throws IOException {
        CardServer silent = card("silent");

        startTrial(silent).close();

        // Long before the five minutes that the client asked for.
        awaitEnd(silent);
    }

    @Test
    void twoServersAreTriedOutAtATime() throws IOException {
        CardServer first = card("first");
        CardServer second = card("second");
        CardServer third = card("third");
        String manifest = RunningOrlojd.stdio("third", third.command());
        try (Socket _ = startTrial(second)) {
            try (Socket _ = startTrial(first)) {
                OrlojctlRun refused = check(manifest, "1s");

                assertThat(refused.exitCode()).isEqualTo(1);
                assertThat(refused.err())
                        .contains("2 servers are being checked already", "check again later");
                assertThat(third.isRunning()).isFalse();
            }
            OrlojctlRun checked = check(manifest);

            assertThat(checked.exitCode()).as(checked.err() + checked.out()).isZero();
        }
        awaitEnd(first);
        awaitEnd(second);
        awaitEnd(third);
    }

    @Nested
    @NeedsDocker
    class WithAnEngine {

        @Test
        void imageThatCannotBePulledIsNamedWithItsRegistry() throws IOException {
            OrlojctlRun run =
                    check(
                            """
                            apiVersion: orloj.dev/v1
                            kind: McpServer
                            metadata: {name: box}
                            spec: {transport: stdio, image: "127.0.0.1:1/none:1"}
                            """);

            assertThat(run.exitCode()).as(run.err() + run.out()).isEqualTo(5);
            assertThat(Json.MAPPER.readTree(run.out()).findValuesAsString("id"))
                    .containsExactly("image-not-available");
            assertThat(run.out()).contains("could not be pulled from registry", "127.0.0.1:1");
        }
    }
}
