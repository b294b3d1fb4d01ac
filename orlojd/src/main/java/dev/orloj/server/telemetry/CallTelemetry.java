package dev.orloj.server.telemetry;

import dev.orloj.runtime.observation.CallObserver;
import dev.orloj.runtime.observation.CallRecord;
import dev.orloj.runtime.observation.RequestEnd;
import dev.orloj.runtime.observation.RequestObserver;
import dev.orloj.runtime.observation.SentRequest;
import dev.orloj.runtime.observation.ServedRequest;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;

import tools.jackson.databind.node.ObjectNode;

import java.util.function.Supplier;

/**
 * Records a span for each request of a client and for each request to a server, and a duration for
 * each MCP request of either kind, with the names of OpenTelemetry's conventions for MCP. A span is
 * a child of the one in the {@code _meta} of the params and replaces it there. Excludes arguments,
 * results and error messages. Thread-safe.
 */
public final class CallTelemetry implements CallObserver {

    private final Tracer tracer;
    private final DoubleHistogram served;
    private final DoubleHistogram sent;

    CallTelemetry(Tracer tracer, Meter meter) {
        this.tracer = tracer;
        this.served =
                SessionTelemetry.seconds(
                        meter,
                        "mcp.server.operation.duration",
                        "Requests of agents, until they were answered");
        this.sent =
                SessionTelemetry.seconds(
                        meter,
                        "mcp.client.operation.duration",
                        "Requests to MCP servers, until they were answered");
    }

    @Override
    public RequestObserver served(Supplier<ServedRequest> described) {
        ServedRequest request = described.get();
        ServedAttributes attributes = ServedAttributes.of(request);
        Span span =
                begin(
                        SpanKind.SERVER,
                        attributes.spanName(),
                        attributes.onSpan(),
                        request.params());
        long begin = System.nanoTime();
        return end -> {
            if (request instanceof ServedRequest.Mcp) {
                served.record((System.nanoTime() - begin) / 1e9, attributes.measured(end));
            }
            end(span, ServedAttributes.outcome(request, end), end);
        };
    }

    @Override
    public RequestObserver sent(SentRequest request) {
        TelemetryAttributes attributes = TelemetryAttributes.of(request);
        Span span =
                begin(
                        SpanKind.CLIENT,
                        attributes.spanName(),
                        attributes.onSpan(),
                        request.params());
        long begin = System.nanoTime();
        return end -> {
            Attributes outcome = TelemetryAttributes.of(end);
            sent.record(
                    (System.nanoTime() - begin) / 1e9,
                    attributes.onMetrics().toBuilder().putAll(outcome).build());
            request.call()
                    .requestId()
                    .ifPresent(
                            id ->
                                    span.setAttribute(
                                            TelemetryAttributes.REQUEST_ID, Long.toString(id)));
            end(span, outcome, end);
        };
    }

    private Span begin(SpanKind kind, String name, Attributes attributes, ObjectNode params) {
        return MetaPropagation.replace(
                params, tracer.spanBuilder(name).setSpanKind(kind).setAllAttributes(attributes));
    }

    private static void end(Span span, Attributes outcome, RequestEnd end) {
        span.setAllAttributes(outcome);
        if (!end.errorType().isEmpty()) {
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }

    /** Has no span of its own: the requests of the call have theirs. */
    @Override
    public void called(CallRecord call) {}
}
