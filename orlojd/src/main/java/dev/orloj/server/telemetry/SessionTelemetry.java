package dev.orloj.server.telemetry;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.observation.ObservedRequest;
import dev.orloj.runtime.observation.RequestEnd;
import dev.orloj.runtime.observation.RequestObserver;
import dev.orloj.runtime.session.SessionInfo;
import dev.orloj.runtime.session.SessionListener;
import dev.orloj.server.metrics.DurationBuckets;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;

import java.time.Duration;
import java.time.InstantSource;

/**
 * Records a span and a duration for each request to a server, with the names of OpenTelemetry's
 * conventions for MCP. The span is a child of the one in the {@code _meta} of the request and
 * replaces it there. Excludes arguments, results and error messages. Thread-safe.
 */
public final class SessionTelemetry implements SessionListener {

    private final Tracer tracer;
    private final DoubleHistogram durations;
    private final DoubleHistogram lives;
    private final InstantSource clock;

    SessionTelemetry(Tracer tracer, Meter meter, InstantSource clock) {
        this.tracer = tracer;
        this.durations =
                seconds(
                        meter,
                        "mcp.client.operation.duration",
                        "Requests to MCP servers, until they were answered");
        this.lives =
                seconds(
                        meter,
                        "mcp.client.session.duration",
                        "Life of sessions, from their opening to their end");
        this.clock = clock;
    }

    /** Returns a histogram of durations in seconds. */
    static DoubleHistogram seconds(Meter meter, String name, String description) {
        return meter.histogramBuilder(name)
                .setDescription(description)
                .setUnit("s")
                .setExplicitBucketBoundariesAdvice(DurationBuckets.SECONDS)
                .build();
    }

    @Override
    public void opened(ResourceKey server, SessionInfo session) {}

    @Override
    public void closed(ResourceKey server, SessionInfo session, String cause, boolean failure) {
        Duration life = Duration.between(session.startedAt(), clock.instant());
        lives.record(life.toNanos() / 1e9, RequestAttributes.of(server, session, failure));
    }

    @Override
    public void toolsChanged(ResourceKey server) {}

    @Override
    public RequestObserver requested(ObservedRequest request) {
        RequestAttributes attributes = RequestAttributes.of(request);
        Span span =
                MetaPropagation.replace(
                        request.params(),
                        tracer.spanBuilder(attributes.spanName())
                                .setSpanKind(SpanKind.CLIENT)
                                .setAllAttributes(attributes.onSpan()));
        long begin = System.nanoTime();
        return end -> ended(span, attributes, end, Duration.ofNanos(System.nanoTime() - begin));
    }

    private void ended(Span span, RequestAttributes attributes, RequestEnd end, Duration took) {
        Attributes failure = RequestAttributes.of(end);
        durations.record(
                took.toNanos() / 1e9, attributes.onMetrics().toBuilder().putAll(failure).build());
        span.setAllAttributes(failure);
        end.requestId()
                .ifPresent(
                        id -> span.setAttribute(RequestAttributes.REQUEST_ID, Long.toString(id)));
        if (!end.errorType().isEmpty()) {
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }
}
