package dev.orloj.server.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.session.ObservedRequest;
import dev.orloj.runtime.session.RequestEnd;
import dev.orloj.runtime.transport.ServerAddress;
import dev.orloj.server.metrics.DurationBuckets;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;

class OtlpTelemetryTest {

    private static final String SECRET = "a very secret argument";
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String CALLER = "00f067aa0ba902b7";
    private static final ServerAddress STDIO =
            new ServerAddress.Stdio(List.of("srv"), Map.of(), Duration.ofSeconds(1));

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
        return new RequestEnd(errorType, code, OptionalLong.of(7));
    }

    /** A request from its begin to its end; the collector has it on return. */
    private FakeCollector.Span send(
            ServerAddress address, String method, ObjectNode params, RequestEnd end) {
        ResourceKey server = new ResourceKey("team", "srv");
        telemetry
                .sessions()
                .requested(
                        new ObservedRequest(
                                server, address, "team/srv#1", "2025-06-18", method, params))
                .ended(end);
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
    void callOfNobodyBeginsATrace() {
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
}
