package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.runtime.testkit.FakeStdioServer;
import dev.orloj.runtime.testkit.Processes;
import dev.orloj.server.testing.RestClient;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A server that is suspended, over two replicas: neither runs it. */
class SuspensionTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String SERVER = RestClient.collection("default", "mcpservers") + "/s";

    @TempDir Path folder;

    @Test
    void suspendedServerRunsNowhereUntilItIsResumed() {
        FakeStdioServer fake =
                FakeStdioServer.in(folder, FakeScript.wellBehaved().tools("add", "echo"));
        try (RunningOrlojd first = RunningOrlojd.start();
                RunningOrlojd second = RunningOrlojd.start(first.database(), Map.of())) {
            first.client()
                    .create("default", "mcpservers", RunningOrlojd.stdio("s", fake.command()));
            first.awaitReady("default", "s");
            awaitCallable(first);
            awaitCallable(second);
            assertThat(Processes.withCommandLine(fake.mark())).isNotEmpty();

            first.client().patch(SERVER, "{\"spec\":{\"suspend\":true}}").expect(200);

            await().atMost(TIMEOUT).until(() -> Processes.withCommandLine(fake.mark()).isEmpty());
            assertRefused(first);
            assertRefused(second);
            // The sessions end when the manifest changes, whether the status is stored or not.
            await().atMost(TIMEOUT).until(() -> phase(first).equals("Suspended"));
            assertThat(first.tools("default")).containsExactlyInAnyOrder("add", "echo");

            first.client().patch(SERVER, "{\"spec\":{\"suspend\":null}}").expect(200);
            awaitCallable(first);
            awaitCallable(second);
        }
    }

    private static RestClient.Answer call(RunningOrlojd orlojd) {
        return orlojd.client().call("default", "s--add", "{\"a\":1,\"b\":2}");
    }

    private static String phase(RunningOrlojd orlojd) {
        return orlojd.server("default", "s").at("/status/phase").asString();
    }

    private static void awaitCallable(RunningOrlojd orlojd) {
        await().atMost(TIMEOUT).until(() -> call(orlojd).code() == 200);
    }

    private static void assertRefused(RunningOrlojd orlojd) {
        assertThat(call(orlojd).expect(422).text()).contains("is suspended: spec.suspend is true");
    }
}
