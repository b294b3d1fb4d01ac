package dev.orloj.server.telemetry;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.session.SessionInfo;
import dev.orloj.runtime.session.SessionListener;
import dev.orloj.server.metrics.DurationBuckets;

import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.Meter;

import java.time.Duration;
import java.time.InstantSource;

/**
 * Records the duration of each session, with the names of OpenTelemetry's conventions for MCP.
 * Thread-safe.
 */
public final class SessionTelemetry implements SessionListener {

    private final DoubleHistogram lives;
    private final InstantSource clock;

    SessionTelemetry(Meter meter, InstantSource clock) {
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
        lives.record(life.toNanos() / 1e9, TelemetryAttributes.of(server, session, failure));
    }

    @Override
    public void toolsChanged(ResourceKey server) {}
}
