package dev.orloj.server.metrics;

import java.time.Duration;
import java.util.List;

/** The buckets that OpenTelemetry's conventions for MCP specify for all durations. */
public final class DurationBuckets {

    public static final List<Double> SECONDS =
            List.of(0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0);

    private DurationBuckets() {}

    static Duration[] durations() {
        return SECONDS.stream()
                .map(seconds -> Duration.ofMillis(Math.round(seconds * 1_000)))
                .toArray(Duration[]::new);
    }
}
