package dev.orloj.server.metrics;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.examination.ResultDecision;
import dev.orloj.runtime.observation.CallObserver;
import dev.orloj.runtime.observation.CallRecord;
import dev.orloj.runtime.observation.RequestObserver;
import dev.orloj.runtime.observation.SentRequest;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Measures calls, and requests to servers, by server and outcome. Thread-safe; costs one map
 * look-up and a few additions for each.
 */
public final class CallMetrics implements CallObserver {

    private record Calls(Optional<ResourceKey> server, String outcome) {}

    private record Requests(ResourceKey server, String method, String errorType) {}

    private record Decisions(ResourceKey server, String kind, String action) {}

    private final MeterRegistry registry;
    private final ConcurrentMap<Calls, Timer> calls = new ConcurrentHashMap<>();
    private final ConcurrentMap<Decisions, Counter> decisions = new ConcurrentHashMap<>();
    private final ConcurrentMap<Requests, Timer> requests = new ConcurrentHashMap<>();

    public CallMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void called(CallRecord call) {
        calls.computeIfAbsent(new Calls(call.server(), call.outcome()), this::timer)
                .record(call.duration());
        if (call.decision().isPresent() && call.server().isPresent()) {
            count(call.server().get(), call.decision().get());
        }
    }

    private void count(ResourceKey server, ResultDecision decision) {
        for (ResultDecision.Finding finding : decision.findings()) {
            decisions
                    .computeIfAbsent(
                            new Decisions(
                                    server, finding.kind().wireName(), decision.action().action()),
                            this::counter)
                    .increment();
        }
    }

    @Override
    public RequestObserver sent(SentRequest request) {
        long begin = System.nanoTime();
        return end ->
                requests.computeIfAbsent(
                                new Requests(request.server(), request.method(), end.errorType()),
                                this::timer)
                        .record(System.nanoTime() - begin, TimeUnit.NANOSECONDS);
    }

    /** Evicts the meters of servers that are gone; they are created again when needed. */
    void forget(Predicate<ResourceKey> gone) {
        calls.keySet().removeIf(series -> series.server().filter(gone).isPresent());
        decisions.keySet().removeIf(series -> gone.test(series.server()));
        requests.keySet().removeIf(series -> gone.test(series.server()));
    }

    private Counter counter(Decisions series) {
        return Counter.builder("orloj.tool.results.findings")
                .description("Results of tool calls with findings, by kind and by what was done")
                .tag("namespace", series.server().namespace())
                .tag("server", series.server().name())
                .tag("kind", series.kind())
                .tag("action", series.action())
                .register(registry);
    }

    private Timer timer(Calls series) {
        return Timer.builder("orloj.tool.calls")
                .description("Tool calls, by server and by what came of them")
                .tag("namespace", series.server().map(ResourceKey::namespace).orElse(""))
                .tag("server", series.server().map(ResourceKey::name).orElse(""))
                .tag("outcome", series.outcome())
                .publishPercentileHistogram()
                .register(registry);
    }

    /** The name and the tags follow OpenTelemetry's conventions for MCP. */
    private Timer timer(Requests series) {
        return Timer.builder("mcp.client.operation.duration")
                .description("Requests to servers, until they were answered")
                .tag("namespace", series.server().namespace())
                .tag("server", series.server().name())
                .tag("mcp.method.name", series.method())
                .tag("error.type", series.errorType())
                .serviceLevelObjectives(DurationBuckets.durations())
                .register(registry);
    }
}
