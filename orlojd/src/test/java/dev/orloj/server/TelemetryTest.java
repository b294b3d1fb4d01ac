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

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** A server that has a collector exports its calls, and for whom they were. */
class TelemetryTest {

    private static final int SERVER = 2;
    private static final int CLIENT = 3;
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String AGENT = "00f067aa0ba902b7";
    private static final String ROUTE =
            "/apis/orloj.dev/v1/namespaces/{namespace}/tools/{name}/call";

    @TempDir Path folder;

    @Test
    void callIsReportedWhenTheServerStopsAtTheLatest() throws Exception {
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
                assertThat(callAsAgent(orlojd)).isEqualTo(200);
                assertThat(orlojd.client().get("/metrics").expect(200).text())
                        .contains(
                                "mcp_client_operation_duration_seconds_bucket{error_type=\"\","
                                        + "mcp_method_name=\"tools/call\",namespace=\"default\","
                                        + "server=\"s\",le=\"300.0\"} 2");
            }

            FakeCollector.Span overRest = served(collector, "POST " + ROUTE);
            assertThat(overRest.attributes())
                    .containsEntry("orloj.tool", "s--add")
                    .containsEntry("http.response.status_code", "200");
            assertThat(below(collector, overRest).attributes())
                    .containsEntry("mcp.session.id", "default/s#1")
                    .containsKey("jsonrpc.request.id");
            FakeCollector.Span ofAgent = served(collector, "tools/call s__add");
            assertThat(ofAgent.traceId()).isEqualTo(TRACE);
            assertThat(ofAgent.parentId()).isEqualTo(AGENT);
            assertThat(below(collector, ofAgent).name()).isEqualTo("tools/call add");
            assertThat(collector.series())
                    .extracting(FakeCollector.Series::name)
                    .containsOnly(
                            "mcp.server.operation.duration",
                            "mcp.client.operation.duration",
                            "mcp.client.session.duration");
        }
    }

    @Test
    void callsAreNotAmongTheRequestsThatAreMeasuredByTheirPath() throws Exception {
        FakeStdioServer fake = FakeStdioServer.in(folder, FakeScript.wellBehaved().tools("add"));
        try (RunningOrlojd orlojd = RunningOrlojd.start(TestPostgres.freshDatabase(), Map.of())) {
            orlojd.client()
                    .create("default", "mcpservers", RunningOrlojd.stdio("s", fake.command()));
            orlojd.awaitReady("default", "s");
            await().atMost(Duration.ofSeconds(60)).until(() -> call(orlojd) == 200);
            assertThat(callAsAgent(orlojd)).isEqualTo(200);

            // A request is measured when its client may have the response already.
            await().atMost(Duration.ofSeconds(60)).until(() -> measured(orlojd).size() > 1);
            assertThat(measured(orlojd))
                    .hasSize(2)
                    .allMatch(line -> line.contains("uri=\"/apis/{group}/{version}/**\""));
        }
    }

    /** Without the requests that this sends itself. */
    private static List<String> measured(RunningOrlojd orlojd) {
        return orlojd.client()
                .get("/metrics")
                .expect(200)
                .text()
                .lines()
                .filter(line -> line.startsWith("http_server_requests_seconds_count"))
                .filter(line -> !line.contains("uri=\"/metrics\""))
                .toList();
    }

    /** The only request of that name that went well. */
    private static FakeCollector.Span served(FakeCollector collector, String name) {
        return only(
                collector,
                span -> span.kind() == SERVER && span.name().equals(name) && span.status() == 0);
    }

    private static FakeCollector.Span below(FakeCollector collector, FakeCollector.Span parent) {
        return only(
                collector,
                span -> span.kind() == CLIENT && span.parentId().equals(parent.spanId()));
    }

    private static FakeCollector.Span only(
            FakeCollector collector, Predicate<FakeCollector.Span> wanted) {
        List<FakeCollector.Span> found = collector.spans().stream().filter(wanted).toList();
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    private static int callAsAgent(RunningOrlojd orlojd) throws Exception {
        String body =
                """
                {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params":
                  {"name": "s__add", "arguments": {"a": 1, "b": 2},
                   "_meta": {"traceparent": "00-%s-%s-01",
                     "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                     "io.modelcontextprotocol/clientCapabilities": {}}}}
                """
                        .formatted(TRACE, AGENT);
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(orlojd.client().url() + "/mcp"))
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .header("MCP-Protocol-Version", "2026-07-28")
                        .header("Mcp-Method", "tools/call")
                        .header("Mcp-Name", "s__add")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
        }
    }

    private static int call(RunningOrlojd orlojd) {
        return orlojd.client().call("default", "s--add", "{\"a\":1,\"b\":2}").code();
    }
}
