package dev.orloj.server.telemetry;

import dev.orloj.runtime.observation.RequestEnd;
import dev.orloj.runtime.observation.RequestObserver;

import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;

/**
 * Records a span for each request to orlojd, and a duration for each MCP request. The new span
 * replaces its parent in the {@code _meta} of the params, so that spans of requests to servers
 * become its children. Excludes arguments, results and error messages. Thread-safe.
 */
public final class ServerTelemetry implements ServedRequestListener {

    private final Tracer tracer;
    private final DoubleHistogram durations;

    ServerTelemetry(Tracer tracer, Meter meter) {
        this.tracer = tracer;
        this.durations =
                SessionTelemetry.seconds(
                        meter,
                        "mcp.server.operation.duration",
                        "Requests of agents, until they were answered");
    }

    @Override
    public RequestObserver asked(ServedRequest request) {
        ServedAttributes attributes = ServedAttributes.of(request);
        Span span =
                MetaPropagation.replace(
                        request.params(),
                        tracer.spanBuilder(attributes.spanName())
                                .setSpanKind(SpanKind.SERVER)
                                .setAllAttributes(attributes.onSpan()));
        long begin = System.nanoTime();
        return end -> {
            if (request instanceof ServedRequest.Mcp) {
                durations.record((System.nanoTime() - begin) / 1e9, attributes.measured(end));
            }
            ended(span, request, end);
        };
    }

    private static void ended(Span span, ServedRequest request, RequestEnd end) {
        span.setAllAttributes(ServedAttributes.outcome(request, end));
        if (!end.errorType().isEmpty()) {
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }
}
