package dev.orloj.server.metrics;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.clock.Scheduler;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.function.Predicate;

/**
 * Removes the meters of deleted servers once a minute, so that their number does not grow with
 * every server that ever existed. Does not remove them on deletion, because the last sessions and
 * calls of a server end later. Thread-safe.
 */
public final class MeterSweep {

    private static final Duration PERIOD = Duration.ofMinutes(1);

    private final MeterRegistry registry;
    private final Predicate<ResourceKey> isThere;
    private final CallMetrics calls;
    private final Scheduler clock;

    /**
     * @param isThere whether a server exists, or still has sessions or calls
     */
    public MeterSweep(
            MeterRegistry registry,
            Predicate<ResourceKey> isThere,
            CallMetrics calls,
            Scheduler clock) {
        this.registry = registry;
        this.isThere = isThere;
        this.calls = calls;
        this.clock = clock;
    }

    public void start() {
        clock.schedule(
                PERIOD,
                () ->
                        Thread.ofVirtual()
                                .name("orloj-meter-sweep")
                                .start(
                                        () -> {
                                            sweep();
                                            start();
                                        }));
    }

    void sweep() {
        Predicate<ResourceKey> gone = isThere.negate();
        // Evicts cached meters first, which would otherwise record into removed meters.
        calls.forget(gone);
        for (Meter meter : registry.getMeters()) {
            ResourceKey server = server(meter);
            if (server != null && gone.test(server)) {
                registry.remove(meter);
            }
        }
    }

    /** Returns a key without a name for meters of declared tools, which have no server. */
    private static @Nullable ResourceKey server(Meter meter) {
        String namespace = meter.getId().getTag("namespace");
        String name = meter.getId().getTag("server");
        return namespace == null || name == null || namespace.isEmpty()
                ? null
                : new ResourceKey(namespace, name);
    }
}
