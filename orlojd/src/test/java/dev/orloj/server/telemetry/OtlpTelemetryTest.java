package dev.orloj.server.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.observation.CallObservation;
import dev.orloj.runtime.observation.CallObserver;
import dev.orloj.runtime.observation.RequestEnd;
import dev.orloj.runtime.observation.RequestObserver;
import dev.orloj.runtime.observation.SentRequest;
import dev.orloj.runtime.observation.ServedRequest;
import dev.orloj.runtime.session.SessionInfo;
import dev.orloj.runtime.session.definition.SessionKey;
import dev.orloj.runtime.session.lifecycle.SessionState;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.server.metrics.DurationBuckets;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

class OtlpTelemetryTest {

    private static final String SECRET = "a very secret argument";
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String CALLER = "00f067aa0ba902b7";
    private static final ServerAddress STDIO =
            new ServerAddress.Stdio(List.of("srv"), Map.of(), Duration.ofSeconds(1));

    private static final Instant NOW = Instant.parse("2026-01-01T00:01:00Z");
    private static final InstantSource CLOCK = InstantSource.fixed(NOW);

    private final FakeCollector collector = new FakeCollector();
    private final OtlpTelemetry telemetry =
            new OtlpTelemetry(URI.create(collector.address() + "/"), "1.2.3", "here");

    OtlpTelemetryTest() throws IOException {}

    @AfterEach
    void stop() {
        telemetry.close();
        collector.close();
    }

    private static ObjectNode params(String json) {
        return (ObjectNode) Json.MAPPER.readTree(json);
    }

    private static RequestEnd end(String errorType, OptionalInt code) {
        return new RequestEnd(errorType, code);
    }

    /** A request from its begin to its end; the collector has it on return. */
    private FakeCollector.Span send(
            ServerAddress address, String method, ObjectNode params, RequestEnd end) {
        ResourceKey server = new ResourceKey("team", "srv");
        CallObservation call = new CallObservation(CallObserver.NONE);
        RequestObserver observer =
                telemetry
                        .calls()
                        .sent(
                                new SentRequest(
                                        server,
                                        address,
                                        "team/srv#1",
                                        "2025-06-18",
                                        method,
                                        params,
                                        call));
        call.exchanged(7, 0, 0);
        observer.ended(end);
        telemetry.close();
        assertThat(collector.spans()).hasSize(1);
        return collector.spans().getFirst();
    }

    @Test
    void callIsASpanBelowThatOfTheCaller() {
        ObjectNode params =
                params(
                        """
                        {"name": "add", "arguments": {"text": "%s"},
                         "_meta": {"traceparent": "00-%s-%s-01", "tracestate": "vendor=1", "own": 1}}
                        """
                                .formatted(SECRET, TRACE, CALLER));

        FakeCollector.Span span = send(STDIO, "tools/call", params, end("", OptionalInt.empty()));

        assertThat(span.name()).isEqualTo("tools/call add");
        assertThat(span.kind()).isEqualTo(3);
        assertThat(span.traceId()).isEqualTo(TRACE);
        assertThat(span.parentId()).isEqualTo(CALLER);
        assertThat(span.status()).isZero();
        assertThat(span.attributes())
                .isEqualTo(
                        Map.of(
                                "mcp.method.name", "tools/call",
                                "mcp.session.id", "team/srv#1",
                                "mcp.protocol.version", "2025-06-18",
                                "gen_ai.operation.name", "execute_tool",
                                "gen_ai.tool.name", "add",
                                "jsonrpc.request.id", "7",
                                "network.transport", "pipe",
                                "orloj.namespace", "team",
                                "orloj.server", "srv"));
        assertThat(params.path("_meta"))
                .isEqualTo(
                        params(
                                "{\"traceparent\": \"00-%s-%s-01\", \"tracestate\": \"vendor=1\", \"own\": 1}"
                                        .formatted(TRACE, span.spanId())));
    }

    @Test
    void callWithoutATraceBeginsOne() {
        ObjectNode params = params("{\"name\": \"add\"}");

        FakeCollector.Span span = send(STDIO, "tools/call", params, end("", OptionalInt.empty()));

        assertThat(span.parentId()).isEmpty();
        // Sampled, and an id of the trace that is random.
        assertThat(params.at("/_meta/traceparent").asString())
                .isEqualTo("00-%s-%s-03".formatted(span.traceId(), span.spanId()));
    }

    @Test
    void failureSaysItsTypeAndTheEndpointItsAddress() {
        ServerAddress.Http http =
                new ServerAddress.Http(URI.create("https://me:key@mcp.test/path?key=1"), Map.of());

        FakeCollector.Span span =
                send(http, "resources/read", params("{}"), end("-32602", OptionalInt.of(-32602)));

        assertThat(span.name()).isEqualTo("resources/read");
        assertThat(span.status()).isEqualTo(2);
        assertThat(span.attributes())
                .containsEntry("error.type", "-32602")
                .containsEntry("rpc.response.status_code", "-32602")
                .containsEntry("network.transport", "tcp")
                .containsEntry("server.address", "mcp.test")
                .containsEntry("server.port", "443")
                .doesNotContainKeys("gen_ai.tool.name", "gen_ai.operation.name");
    }

    @Test
    void durationsHaveTheBucketsOfTheConventions() {
        send(
                STDIO,
                "tools/call",
                params("{\"name\": \"add\"}"),
                end("timeout", OptionalInt.empty()));

        assertThat(collector.series())
                .singleElement()
                .satisfies(
                        series -> {
                            assertThat(series.name()).isEqualTo("mcp.client.operation.duration");
                            assertThat(series.count()).isEqualTo(1);
                            assertThat(series.bounds()).isEqualTo(DurationBuckets.SECONDS);
                            assertThat(series.attributes())
                                    .containsEntry("gen_ai.tool.name", "add")
                                    .containsEntry("error.type", "timeout")
                                    .doesNotContainKey("mcp.session.id");
                        });
    }

    @Test
    void lifeOfASessionIsMeasuredWhenItEnds() {
        ResourceKey server = new ResourceKey("team", "srv");
        SessionInfo session = session(server, NOW.minusSeconds(90));

        telemetry.sessions(CLOCK).closed(server, session, "the process died", true);
        telemetry.close();

        FakeCollector.Series life = series("mcp.client.session.duration");
        assertThat(life.count()).isEqualTo(1);
        assertThat(life.sum()).isEqualTo(90);
        assertThat(life.attributes())
                .isEqualTo(
                        Map.of(
                                "orloj.namespace", "team",
                                "orloj.server", "srv",
                                "mcp.protocol.version", "2025-06-18",
                                "error.type", "session_lost"));
    }

    private static SessionInfo session(ResourceKey server, Instant startedAt) {
        return new SessionInfo(
                "team/srv#1",
                server,
                new SessionKey("uid", 1, ""),
                SessionState.Name.CLOSED,
                "2025-06-18",
                Optional.of(1L),
                startedAt,
                startedAt,
                0,
                0,
                0,
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                false);
    }

    private FakeCollector.Series series(String name) {
        assertThat(collector.series()).extracting(FakeCollector.Series::name).contains(name);
        return collector.series().stream()
                .filter(series -> series.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** A request to orlojd from its begin to its end; the collector has it on return. */
    private FakeCollector.Span serve(ServedRequest request, RequestEnd end) {
        telemetry.calls().served(() -> request).ended(end);
        telemetry.close();
        assertThat(collector.spans()).hasSize(1);
        return collector.spans().getFirst();
    }

    private static ServedRequest agent(String method, ObjectNode params) {
        return new ServedRequest.Mcp(
                method,
                "2025-11-25",
                Optional.of("session"),
                "a-1",
                "team",
                Optional.of("srv"),
                params);
    }

    @Test
    void requestOfAnAgentIsASpanBetweenThatOfTheAgentAndThatOfTheServer() {
        ObjectNode params =
                params(
                        """
                        {"name": "add", "arguments": {"text": "%s"},
                         "_meta": {"traceparent": "00-%s-%s-01"}}
                        """
                                .formatted(SECRET, TRACE, CALLER));

        FakeCollector.Span span =
                serve(agent("tools/call", params), end("tool_error", OptionalInt.empty()));

        assertThat(span.name()).isEqualTo("tools/call add");
        assertThat(span.kind()).isEqualTo(2);
        assertThat(span.traceId()).isEqualTo(TRACE);
        assertThat(span.parentId()).isEqualTo(CALLER);
        assertThat(span.status()).isEqualTo(2);
        assertThat(params.at("/_meta/traceparent").asString())
                .isEqualTo("00-%s-%s-01".formatted(TRACE, span.spanId()));
        assertThat(span.attributes())
                .containsEntry("mcp.session.id", "session")
                .containsEntry("jsonrpc.request.id", "a-1")
                .containsEntry("error.type", "tool_error")
                .doesNotContainValue(SECRET);
        FakeCollector.Series duration = series("mcp.server.operation.duration");
        assertThat(duration.bounds()).isEqualTo(DurationBuckets.SECONDS);
        assertThat(duration.attributes())
                .isEqualTo(
                        Map.of(
                                "mcp.method.name", "tools/call",
                                "mcp.protocol.version", "2025-11-25",
                                "gen_ai.operation.name", "execute_tool",
                                "gen_ai.tool.name", "add",
                                "network.transport", "tcp",
                                "error.type", "tool_error",
                                "orloj.namespace", "team",
                                "orloj.server", "srv"));
    }

    /** There is no end to what they could make up. */
    @Test
    void whatAgentsMakeUpIsOnNoMetric() {
        CallObserver calls = telemetry.calls();
        calls.served(() -> agent("tools/call", params("{\"name\": \"made up\"}")))
                .ended(end("-32602", OptionalInt.of(-32602)));
        calls.served(() -> agent("made/up", params("{}")))
                .ended(end("-32601", OptionalInt.of(-32601)));
        telemetry.close();

        assertThat(collector.series())
                .hasSize(2)
                .allSatisfy(
                        series ->
                                assertThat(series.attributes())
                                        .doesNotContainKey("gen_ai.tool.name")
                                        .doesNotContainValue("made/up"));
    }

    @Test
    void callOverRestIsASpanOfHttp() {
        ServedRequest call =
                new ServedRequest.ToolCall(new ResourceKey("team", "srv--add"), params("{}"));

        FakeCollector.Span span = serve(call, end("404", OptionalInt.of(404)));

        assertThat(span.name())
                .isEqualTo("POST /apis/orloj.dev/v1/namespaces/{namespace}/tools/{name}/call");
        assertThat(span.kind()).isEqualTo(2);
        assertThat(span.attributes())
                .containsEntry("http.request.method", "POST")
                .containsEntry("http.response.status_code", "404")
                .containsEntry("error.type", "404")
                .containsEntry("orloj.tool", "srv--add");
        assertThat(call.params().at("/_meta/traceparent").asString()).contains(span.spanId());
    }
}
