package dev.orloj.server.metrics;

import dev.orloj.runtime.call.CallListener;
import dev.orloj.runtime.call.CallRecord;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Times calls by server and outcome. Thread-safe; costs a map look-up and a few additions a call.
 */
public final class CallMetrics implements CallListener {

    private record Series(String server, String outcome) {}

    private final MeterRegistry registry;
    private final ConcurrentMap<Series, Timer> timers = new ConcurrentHashMap<>();

    public CallMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void called(CallRecord call) {
        String server = call.server().map(Object::toString).orElse("");
        timers.computeIfAbsent(new Series(server, call.outcome()), this::timer)
                .record(call.duration());
    }

    private Timer timer(Series series) {
        return Timer.builder("orloj.tool.calls")
                .description("Tool calls, by server and by what came of them")
                .tag("server", series.server())
                .tag("outcome", series.outcome())
                .publishPercentileHistogram()
                .register(registry);
    }
}
