package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.runtime.testkit.FakeStdioServer;
import dev.orloj.server.testing.OrlojdProcess;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;
import dev.orloj.server.testing.SlowClient;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * H-06: servers that send lines without end, and clients that do not read large answers, cost
 * neither the daemon nor a server beside them anything.
 */
class MemorySoakTest {

    private static final Duration LONG_ENOUGH = Duration.ofMinutes(2);
    private static final int FLOODING_SERVERS = 8;
    private static final int FLOODS_OF_EACH = 2;
    private static final int SLOW_CLIENTS = 60;
    private static final int HEALTHY_CALLS = 200;
    private static final String LARGE = "{\"arguments\": {\"bytes\": 10000000}}";

    @TempDir Path folder;

    @Test
    void hugeLinesAndUnreadAnswersLeaveTheOthersAlone() throws Exception {
        Path data = Files.createDirectories(folder.resolve("data"));
        List<SlowClient> slow = new ArrayList<>();
        try (OrlojdProcess orlojd =
                OrlojdProcess.startWith(List.of("-Xmx512m", "-XX:+ExitOnOutOfMemoryError"), data)) {
            RestClient client = orlojd.client();
            createFake(client, "good");
            createFake(client, "large");
            for (int i = 0; i < FLOODING_SERVERS; i++) {
                client.create(
                        "default",
                        "mcpservers",
                        RunningOrlojd.stdio(
                                "flood-" + i,
                                List.of("sh", "-c", flood(i)),
                                "reconnect: {max_attempts: 5, backoff: 1ms}"));
            }
            URI target =
                    URI.create(
                            orlojd.url()
                                    + RestClient.collection("default", "tools")
                                    + "/large--huge/call");
            for (int i = 0; i < SLOW_CLIENTS; i++) {
                slow.add(new SlowClient(target, LARGE));
            }

            for (int i = 0; i < HEALTHY_CALLS; i++) {
                call(client, "good--echo").expect(200);
            }
            await().atMost(LONG_ENOUGH).until(this::allHaveFlooded);
            call(client, "good--echo").expect(200);
            for (SlowClient each : slow) {
                each.close();
            }
            await().atMost(LONG_ENOUGH)
                    .untilAsserted(
                            () -> assertThat(call(client, "large--huge").code()).isEqualTo(200));
            assertThat(orlojd.isAlive()).isTrue();
            assertThat(Files.readString(OrlojdProcess.log(data)))
                    .doesNotContain("OutOfMemoryError");
            assertThat(orlojd.stop()).isZero();
        } finally {
            for (SlowClient each : slow) {
                each.close();
            }
        }
    }

    /** One more character in the file, and 60 MB in one line. */
    private String flood(int number) {
        return "printf x >> '%s'; head -c 60000000 /dev/zero | tr '\\000' x; sleep 60"
                .formatted(journal(number));
    }

    private Path journal(int number) {
        return folder.resolve("flood-" + number);
    }

    private boolean allHaveFlooded() throws IOException {
        for (int i = 0; i < FLOODING_SERVERS; i++) {
            if (!Files.exists(journal(i)) || Files.size(journal(i)) < FLOODS_OF_EACH) {
                return false;
            }
        }
        return true;
    }

    private void createFake(RestClient client, String name) {
        client.create(
                "default",
                "mcpservers",
                RunningOrlojd.stdio(
                        name,
                        FakeStdioServer.in(folder, FakeScript.wellBehaved().tools("echo", "huge"))
                                .command()));
        String path = RestClient.collection("default", "mcpservers") + "/" + name;
        await().atMost(LONG_ENOUGH)
                .until(
                        () ->
                                client.get(path)
                                        .body()
                                        .at("/status/phase")
                                        .asString("")
                                        .equals("Ready"));
    }

    private static RestClient.Answer call(RestClient client, String tool) {
        return client.post(
                RestClient.collection("default", "tools") + "/" + tool + "/call",
                tool.startsWith("large") ? LARGE : "{\"arguments\": {}}");
    }
}
