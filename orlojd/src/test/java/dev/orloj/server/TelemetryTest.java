package dev.orloj.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.testkit.FakeScript;
import dev.orloj.runtime.testkit.FakeStdioServer;
import dev.orloj.server.postgres.TestPostgres;
import dev.orloj.server.telemetry.FakeCollector;
import dev.orloj.server.testing.RunningOrlojd;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A server that has a collector tells it of its calls. */
class TelemetryTest {

    @TempDir Path folder;

    @Test
    void callIsToldWhenTheServerStopsAtTheLatest() throws Exception {
        FakeStdioServer fake =
                FakeStdioServer.in(folder, FakeScript.wellBehaved().tools("add", "echo"));
        try (FakeCollector collector = new FakeCollector()) {
            Map<String, Object> properties =
                    Map.of("orloj.telemetry.otlp-endpoint", collector.address());
            try (RunningOrlojd orlojd =
                    RunningOrlojd.start(TestPostgres.freshDatabase(), properties)) {
                orlojd.client()
                        .create("default", "mcpservers", RunningOrlojd.stdio("s", fake.command()));
                orlojd.awaitReady("default", "s");
                await().atMost(Duration.ofSeconds(60)).until(() -> call(orlojd) == 200);
                assertThat(orlojd.client().get("/metrics").expect(200).text())
                        .contains(
                                "mcp_client_operation_duration_seconds_bucket{error_type=\"\","
                                        + "mcp_method_name=\"tools/call\",namespace=\"default\","
                                        + "server=\"s\",le=\"300.0\"} 1");
            }

            assertThat(collector.spans())
                    .singleElement()
                    .satisfies(
                            span -> {
                                assertThat(span.name()).isEqualTo("tools/call add");
                                assertThat(span.attributes())
                                        .containsEntry("mcp.session.id", "default/s#1")
                                        .containsKey("jsonrpc.request.id");
                            });
            assertThat(collector.series())
                    .extracting(FakeCollector.Series::name)
                    .containsExactly("mcp.client.operation.duration");
        }
    }

    private static int call(RunningOrlojd orlojd) {
        return orlojd.client().call("default", "s--add", "{\"a\":1,\"b\":2}").code();
    }
}
