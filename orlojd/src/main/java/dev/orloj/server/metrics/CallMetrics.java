package dev.orloj.server.metrics;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.call.CallListener;
import dev.orloj.runtime.call.CallRecord;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;

/**
 * Measures calls by server and outcome. Thread-safe; costs one map look-up and a few additions per
 * call.
 */
public final class CallMetrics implements CallListener {

    private record Series(Optional<ResourceKey> server, String outcome) {}

    private final MeterRegistry registry;
    private final ConcurrentMap<Series, Timer> timers = new ConcurrentHashMap<>();

    public CallMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void called(CallRecord call) {
        timers.computeIfAbsent(new Series(call.server(), call.outcome()), this::timer)
                .record(call.duration());
    }

    void forget(Predicate<ResourceKey> gone) {
        timers.keySet().removeIf(series -> series.server().filter(gone).isPresent());
    }

    private Timer timer(Series series) {
        return Timer.builder("orloj.tool.calls")
                .description("Tool calls, by server and by what came of them")
                .tag("namespace", series.server().map(ResourceKey::namespace).orElse(""))
                .tag("server", series.server().map(ResourceKey::name).orElse(""))
                .tag("outcome", series.outcome())
                .publishPercentileHistogram()
                .register(registry);
    }
}
