package dev.orloj.controllers.mcpserver.definition;

import dev.orloj.api.Frozen;
import dev.orloj.api.GoDuration;
import dev.orloj.api.approval.ResultAction;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.McpServerSpec;
import dev.orloj.runtime.argument.ArgumentMode;
import dev.orloj.runtime.client.ClientCapabilities;
import dev.orloj.runtime.client.ServerRequestPolicy;
import dev.orloj.runtime.client.SessionPolicy;
import dev.orloj.runtime.client.SessionPolicy.HealthProbe;
import dev.orloj.runtime.examination.ResultPolicy;
import dev.orloj.runtime.isolation.Isolation;
import dev.orloj.runtime.isolation.SessionScope;
import dev.orloj.runtime.limit.CallLimits;
import dev.orloj.runtime.result.OutputLimit;
import dev.orloj.runtime.session.definition.ReconnectPolicy;
import dev.orloj.runtime.session.definition.SessionSharing;
import dev.orloj.runtime.session.definition.Timeouts;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.JsonNodeFactory;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Reads the policies of sessions and calls from a manifest, with defaults for unset fields. */
public final class SpecPolicies {

    private static final int DEFAULT_ATTEMPTS = 3;
    private static final Duration DEFAULT_BACKOFF = Duration.ofSeconds(2);
    private static final Duration DEFAULT_IDLE_TIMEOUT = Duration.ofMinutes(5);

    static final Duration DEFAULT_CALL_TIMEOUT = Duration.ofSeconds(30);
    private static final int DEFAULT_FAILURES = 5;
    private static final Duration DEFAULT_WINDOW = Duration.ofMinutes(1);
    private static final Duration DEFAULT_OPEN_FOR = Duration.ofSeconds(30);
    private static final HealthProbe DEFAULT_PROBE =
            new HealthProbe(Duration.ofMinutes(1), Duration.ofSeconds(10), 3);

    private SpecPolicies() {}

    public static OutputLimit outputLimit(McpServerSpec.OutputLimits given) {
        return given.equals(McpServerSpec.OutputLimits.NONE)
                ? OutputLimit.NONE
                : new OutputLimit(given.maxOutputBytes(), given.maxOutputTokens());
    }

    public static ArgumentMode argumentMode(McpServer.@Nullable ArgumentCheck given) {
        return switch (given) {
            case null -> ArgumentMode.COERCE;
            case STRICT -> ArgumentMode.STRICT;
            case COERCE -> ArgumentMode.COERCE;
            case OFF -> ArgumentMode.OFF;
        };
    }

    static ResultPolicy resultPolicy(@Nullable ResultAction given) {
        return switch (given) {
            case null -> ResultPolicy.OFF;
            case OFF -> ResultPolicy.OFF;
            case WARN -> ResultPolicy.WARN;
            case STRIP -> ResultPolicy.STRIP;
            case BLOCK -> ResultPolicy.BLOCK;
        };
    }

    static Timeouts timeouts(McpServerSpec spec, Duration startup) {
        return new Timeouts(
                idleTimeout(spec),
                positive(spec.calls().timeout(), DEFAULT_CALL_TIMEOUT),
                startup,
                duration(spec.calls().idleCallTimeout(), Duration.ZERO));
    }

    static SessionSharing sharing(McpServerSpec.Sharing given) {
        SessionScope scope =
                switch (given.sessionScope()) {
                    case null -> SessionScope.DETECTED;
                    case SHARED -> SessionScope.SHARED;
                    case AGENT -> SessionScope.AGENT;
                    case CALL -> SessionScope.CALL;
                };
        int ofClients =
                given.allowsOneSession()
                        ? 1
                        : number(given.maxSessions(), McpServerSpec.Sharing.MAX_OF_CLIENTS);
        return new SessionSharing(
                number(given.maxSessions(), 1),
                given.allowsOneSession(),
                new Isolation(scope, ofClients));
    }

    static ServerRequestPolicy requestPolicy(McpServer.@Nullable Bridge spec) {
        if (spec == null) {
            return ServerRequestPolicy.DEFAULT;
        }
        Map<String, McpServer.@Nullable BridgePolicy> policies = new LinkedHashMap<>();
        policies.put(ClientCapabilities.ELICITATION, spec.elicitation());
        policies.put(ClientCapabilities.SAMPLING, spec.sampling());
        policies.put(ClientCapabilities.ROOTS, spec.roots());
        return new ServerRequestPolicy(
                named(policies, McpServer.BridgePolicy.PARK),
                named(policies, McpServer.BridgePolicy.REJECT),
                Objects.requireNonNullElseGet(
                        spec.extensions(), JsonNodeFactory.instance::objectNode));
    }

    private static Set<String> named(
            Map<String, McpServer.@Nullable BridgePolicy> policies, McpServer.BridgePolicy policy) {
        return Frozen.set(
                policies.entrySet().stream()
                        .filter(entry -> entry.getValue() == policy)
                        .map(Map.Entry::getKey)
                        .toList());
    }

    /** Returns the idle timeout. A session that starts on demand closes again by default. */
    static Duration idleTimeout(McpServerSpec spec) {
        return duration(
                spec.lifetime().idleTimeout(),
                spec.lifetime().startsOnDemand() ? DEFAULT_IDLE_TIMEOUT : Duration.ZERO);
    }

    static SessionPolicy upkeep(McpServerSpec spec) {
        Long calls = spec.renewal().maxCalls();
        return new SessionPolicy(
                health(spec),
                duration(spec.renewal().maxLifetime(), Duration.ZERO),
                calls == null ? 0 : calls,
                Optional.ofNullable(spec.renewal().drainTimeout()).map(GoDuration::toDuration));
    }

    /**
     * Returns the health probe. By default only a process that stays running is probed; for other
     * servers a ping would be a burden.
     */
    private static Optional<HealthProbe> health(McpServerSpec spec) {
        McpServer.Health given = spec.renewal().health();
        boolean staysWarm = idleTimeout(spec).isZero();
        if (given == null) {
            return spec.hosting() instanceof McpServerSpec.Hosting.Remote || !staysWarm
                    ? Optional.empty()
                    : Optional.of(DEFAULT_PROBE);
        }
        Duration period = duration(given.period(), DEFAULT_PROBE.period());
        return period.isZero()
                ? Optional.empty()
                : Optional.of(
                        new HealthProbe(
                                period,
                                positive(given.timeout(), DEFAULT_PROBE.timeout()),
                                number(given.failures(), DEFAULT_PROBE.failures())));
    }

    static CallLimits limits(McpServerSpec spec) {
        CallLimits usual = CallLimits.DEFAULT;
        McpServer.RateLimit rate = spec.calls().rateLimit();
        McpServer.CircuitBreaker breaker = spec.calls().circuitBreaker();
        return new CallLimits(
                number(spec.calls().maxConcurrentCalls(), usual.maxConcurrent()),
                number(spec.calls().maxQueuedCalls(), usual.maxQueued()),
                duration(spec.calls().queueTimeout(), usual.queueTimeout()),
                rate == null
                        ? Optional.empty()
                        : Optional.of(
                                new CallLimits.Rate(rate.calls(), rate.period().toDuration())),
                breaker == null
                        ? Optional.empty()
                        : Optional.of(
                                new CallLimits.Breaker(
                                        number(breaker.failures(), DEFAULT_FAILURES),
                                        duration(breaker.window(), DEFAULT_WINDOW),
                                        duration(breaker.openFor(), DEFAULT_OPEN_FOR))));
    }

    static ReconnectPolicy reconnect(McpServer.@Nullable Reconnect spec) {
        if (spec == null) {
            return new ReconnectPolicy(DEFAULT_ATTEMPTS, DEFAULT_BACKOFF);
        }
        return new ReconnectPolicy(
                number(spec.maxAttempts(), DEFAULT_ATTEMPTS),
                duration(spec.backoff(), DEFAULT_BACKOFF));
    }

    static int number(@Nullable Integer given, int otherwise) {
        return given == null ? otherwise : given;
    }

    static Duration duration(@Nullable GoDuration given, Duration otherwise) {
        return given == null ? otherwise : given.toDuration();
    }

    /** Returns the default for zero, because no call could succeed in no time. */
    static Duration positive(@Nullable GoDuration given, Duration otherwise) {
        Duration duration = duration(given, otherwise);
        return duration.isZero() ? otherwise : duration;
    }
}
