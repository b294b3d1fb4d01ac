package dev.orloj.benchmarks.load;

import java.time.Duration;
import java.util.Optional;

/**
 * What a slice of load came to.
 *
 * @param latencies of the operations that succeeded, begun and ended inside the slice
 * @param errors operations that failed inside the slice
 */
public record LoadResult(
        Histogram latencies, long errors, Optional<String> firstError, Duration elapsed) {

    public double perSecond() {
        return latencies.count() / (elapsed.toNanos() / 1e9);
    }

    public double percentileMicros(double percent) {
        return latencies.percentile(percent) / 1e3;
    }
}
