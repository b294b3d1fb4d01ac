package dev.orloj.server.metrics;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.client.McpProtocolException;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.session.FailedOpening;
import dev.orloj.runtime.session.SessionInfo;
import dev.orloj.runtime.session.SessionListener;
import dev.orloj.runtime.session.SessionManager;
import dev.orloj.runtime.transport.RequestTimeoutException;
import dev.orloj.runtime.transport.TransportException;
import dev.orloj.runtime.transport.http.HttpStatusException;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import java.time.Duration;
import java.time.InstantSource;

/**
 * Counts and measures sessions by server. Gauges read their values when the metrics are scraped.
 * Thread-safe.
 */
public final class SessionMetrics implements SessionListener {

    private static final String NAMESPACE = "namespace";
    private static final String SERVER = "server";
    private static final String ERROR_TYPE = "error.type";

    private final MeterRegistry registry;
    private final InstantSource clock;

    public SessionMetrics(MeterRegistry registry, InstantSource clock) {
        this.registry = registry;
        this.clock = clock;
    }

    /** Registers gauges for these sessions. */
    public void observe(SessionManager sessions) {
        Gauge.builder("orloj.sessions.open", sessions, s -> s.sessions().size())
                .description("Sessions with servers, those that open or drain included")
                .register(registry);
        Gauge.builder("orloj.requests.in.flight", sessions, SessionMetrics::inFlight)
                .description("Requests that wait for the answer of a server")
                .register(registry);
        Gauge.builder("orloj.sessions.memory", sessions, SessionManager::residentBytes)
                .description("Resident memory of the processes of all sessions (Linux)")
                .baseUnit("bytes")
                .register(registry);
    }

    @Override
    public void opened(ResourceKey server, SessionInfo session) {
        Counter.builder("orloj.sessions.opened")
                .description("Sessions that were opened")
                .tag(NAMESPACE, server.namespace())
                .tag(SERVER, server.name())
                .register(registry)
                .increment();
    }

    @Override
    public void openFailed(ResourceKey server, FailedOpening failure) {
        Counter.builder("orloj.sessions.open.failures")
                .description("Sessions that could not be opened, after all attempts")
                .tag(NAMESPACE, server.namespace())
                .tag(SERVER, server.name())
                .tag("reason", reason(failure.cause()))
                .register(registry)
                .increment();
    }

    /** Maps a failure to one of few labels, which limits the number of series. */
    private static String reason(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            switch (cause) {
                case HttpStatusException _ -> {
                    return "http_status";
                }
                case RequestTimeoutException _ -> {
                    return "timeout";
                }
                case McpProtocolException _ -> {
                    return "protocol";
                }
                case JsonRpcException _ -> {
                    return "json_rpc_error";
                }
                case TransportException _ -> {
                    return "transport";
                }
                default -> {
                    // Continue with its cause.
                }
            }
        }
        return "other";
    }

    /** The name and the tag {@code error.type} follow OpenTelemetry's conventions for MCP. */
    @Override
    public void closed(ResourceKey server, SessionInfo session, String cause, boolean failure) {
        Timer.builder("mcp.client.session.duration")
                .description("Life of sessions, from their opening to their end")
                .tag(NAMESPACE, server.namespace())
                .tag(SERVER, server.name())
                .serviceLevelObjectives(DurationBuckets.durations())
                .tag(ERROR_TYPE, failure ? "session_lost" : "")
                .register(registry)
                .record(Duration.between(session.startedAt(), clock.instant()));
    }

    @Override
    public void toolsChanged(ResourceKey server) {}

    private static double inFlight(SessionManager sessions) {
        return sessions.sessions().stream().mapToInt(SessionInfo::inFlight).sum();
    }
}
