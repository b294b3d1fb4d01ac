package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.runtime.testkit.FakeStdioServer;
import dev.orloj.runtime.testkit.Processes;
import dev.orloj.server.testing.OrlojdProcess;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.ResumingWatcher;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** What is left when orlojd is killed in the middle of everything, on its own PostgreSQL. */
class CrashRecoveryTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final String TOOLS = RestClient.collection("default", "tools");
    private static final int WRITES_BEFORE_THE_CRASH = 60;

    @TempDir Path folder;

    @Test
    void killedUnderLoadLosesNothingThatWasAcknowledged() throws Exception {
        FakeStdioServer fake = FakeStdioServer.in(folder, FakeScript.wellBehaved());
        Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
        List<JsonNode> generated;
        ResumingWatcher watcher;

        try (OrlojdProcess orlojd = OrlojdProcess.start(folder.resolve("data"))) {
            RestClient client = orlojd.client();
            client.create("default", "mcpservers", RunningOrlojd.stdio("s", fake.command()));
            await().atMost(TIMEOUT).until(() -> generatedTools(client).size() == 3);
            awaitReady(client);
            generated = generatedTools(client);
            watcher = new ResumingWatcher(orlojd.url(), TOOLS, versionOf(client));
            Load load = new Load(client, acknowledged);
            await().atMost(TIMEOUT).until(() -> acknowledged.size() > WRITES_BEFORE_THE_CRASH);

            orlojd.kill();
            load.end();
        }

        await().atMost(TIMEOUT).until(() -> Processes.withCommandLine(fake.mark()).isEmpty());
        try (OrlojdProcess orlojd = OrlojdProcess.start(folder.resolve("data"))) {
            RestClient client = orlojd.client();
            watcher.moveTo(orlojd.url());
            List<String> stored = handMadeTools(client);
            assertThat(stored).containsAll(acknowledged).doesNotHaveDuplicates();
            assertThat(generatedTools(client)).isEqualTo(generated);
            client.call("default", "s--add", "{\"a\":1,\"b\":2}").expect(200);

            await().atMost(TIMEOUT)
                    .untilAsserted(
                            () ->
                                    assertThat(additions(watcher))
                                            .containsExactlyInAnyOrderElementsOf(stored));
            assertThat(watcher.seen()).extracting(ResumingWatcher.Seen::version).isSorted();
            assertThat(orlojd.stop()).isZero();
            assertThat(Processes.withCommandLine(fake.mark())).isEmpty();
        } finally {
            watcher.close();
        }
    }

    /** Writers that create tools, and a caller, until the server goes away. */
    private static final class Load {

        private final List<Thread> threads = new ArrayList<>();
        private final AtomicBoolean ending = new AtomicBoolean();
        private final AtomicInteger counter = new AtomicInteger();

        Load(RestClient client, Queue<String> acknowledged) {
            for (int i = 0; i < 4; i++) {
                threads.add(
                        Thread.startVirtualThread(
                                () -> untilTheEnd(() -> create(client, acknowledged))));
            }
            threads.add(
                    Thread.startVirtualThread(
                            () ->
                                    untilTheEnd(
                                            () ->
                                                    client.call("default", "s--echo", "{}")
                                                            .expect(200))));
        }

        private void untilTheEnd(Runnable action) {
            try {
                while (!ending.get()) {
                    action.run();
                }
            } catch (UncheckedIOException e) {
                ending.set(true); // the server is gone: nothing was acknowledged
            }
        }

        private void create(RestClient client, Queue<String> acknowledged) {
            String name = "t" + counter.incrementAndGet();
            client.post(
                            TOOLS,
                            Map.of(
                                    "apiVersion",
                                    "orloj.dev/v1",
                                    "kind",
                                    "Tool",
                                    "metadata",
                                    Map.of("name", name),
                                    "spec",
                                    Map.of("type", "http", "endpoint", "http://x")))
                    .expect(201);
            acknowledged.add(name);
        }

        void end() throws InterruptedException {
            ending.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    private static void awaitReady(RestClient client) {
        await().atMost(TIMEOUT)
                .until(
                        () ->
                                client.get(RestClient.collection("default", "mcpservers") + "/s")
                                        .body()
                                        .at("/status/phase")
                                        .asString("")
                                        .equals("Ready"));
    }

    private static long versionOf(RestClient client) {
        return Long.parseLong(client.get(TOOLS).body().at("/metadata/resourceVersion").asString());
    }

    private static List<JsonNode> generatedTools(RestClient client) {
        return items(client, TOOLS + "?labelSelector=orloj.dev%2Fmcp-server%3Ds");
    }

    private static List<String> handMadeTools(RestClient client) {
        return items(client, TOOLS + "?labelSelector=!orloj.dev%2Fmcp-server").stream()
                .map(tool -> tool.at("/metadata/name").asString())
                .toList();
    }

    private static List<JsonNode> items(RestClient client, String path) {
        return client.get(path).expect(200).body().path("items").valueStream().toList();
    }

    private static List<String> additions(ResumingWatcher watcher) {
        return watcher.seen().stream()
                .filter(event -> event.type().equals("ADDED"))
                .map(ResumingWatcher.Seen::name)
                .toList();
    }
}
