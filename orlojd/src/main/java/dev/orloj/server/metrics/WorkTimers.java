package dev.orloj.server.metrics;

import dev.orloj.controllers.workqueue.WorkTimings;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

import java.time.Duration;

/** Records the histograms of a work queue under the names of client-go. Thread-safe. */
final class WorkTimers implements WorkTimings {

    private static final Duration[] BUCKETS = {
        Duration.ofMillis(1),
        Duration.ofMillis(10),
        Duration.ofMillis(100),
        Duration.ofSeconds(1),
        Duration.ofSeconds(10),
        Duration.ofMinutes(1),
    };

    private final Timer queued;
    private final Timer worked;

    WorkTimers(MeterRegistry registry, Tags name) {
        this.queued =
                Timer.builder("workqueue.queue.duration")
                        .description("How long keys waited for a worker after they were due")
                        .serviceLevelObjectives(BUCKETS)
                        .tags(name)
                        .register(registry);
        this.worked =
                Timer.builder("workqueue.work.duration")
                        .description("How long the work on a key took")
                        .serviceLevelObjectives(BUCKETS)
                        .tags(name)
                        .register(registry);
    }

    @Override
    public void waited(Duration time) {
        queued.record(time);
    }

    @Override
    public void worked(Duration time) {
        worked.record(time);
    }
}
