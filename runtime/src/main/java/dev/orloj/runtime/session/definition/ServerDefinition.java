package dev.orloj.runtime.session.definition;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.argument.ArgumentMode;
import dev.orloj.runtime.client.ServerRequestPolicy;
import dev.orloj.runtime.client.SessionPolicy;
import dev.orloj.runtime.isolation.Isolation;
import dev.orloj.runtime.limit.CallLimits;
import dev.orloj.runtime.result.OutputLimit;
import dev.orloj.runtime.transport.ServerAddress;

import java.time.Duration;

/**
 * Holds everything that is needed to open a session with one server, with secrets resolved. {@code
 * toString} shows no secret.
 *
 * @param idleTimeout closes a session after this time without a tool call; zero means never
 * @param callTimeout timeout of a call that sets none itself
 * @param startupTimeout how long the server may take to answer {@code initialize}
 * @param idleCallTimeout timeout of a call without progress; zero means that only the timeout of
 *     the whole call applies
 * @param maxSessions maximum number of concurrent sessions, each with one call at a time as long as
 *     there are enough
 * @param singleton whether the server allows only one session at a time: across all replicas, and
 *     even while one session replaces another
 * @param requestPolicy which requests the server may send to clients during their calls; part of
 *     the key, too
 * @param isolation which clients share a session
 * @param argumentMode how arguments that do not match the schema of their tool are handled
 */
public record ServerDefinition(
        ResourceKey server,
        SessionKey key,
        ServerAddress address,
        ReconnectPolicy reconnect,
        Duration idleTimeout,
        Duration callTimeout,
        Duration startupTimeout,
        Duration idleCallTimeout,
        CallLimits limits,
        SessionPolicy policy,
        OutputLimit output,
        int maxSessions,
        boolean singleton,
        ServerRequestPolicy requestPolicy,
        Isolation isolation,
        ArgumentMode argumentMode) {

    public ServerDefinition {
        if (idleTimeout.isNegative()) {
            throw new IllegalArgumentException("Idle timeout must not be negative: " + idleTimeout);
        }
        if (!callTimeout.isPositive()) {
            throw new IllegalArgumentException("Call timeout must be positive: " + callTimeout);
        }
        if (!startupTimeout.isPositive()) {
            throw new IllegalArgumentException(
                    "Startup timeout must be positive: " + startupTimeout);
        }
        if (maxSessions < 1) {
            throw new IllegalArgumentException("Sessions must be at least 1: " + maxSessions);
        }
        if (singleton && maxSessions > 1) {
            throw new IllegalArgumentException("A singleton has 1 session, not " + maxSessions);
        }
        if (idleCallTimeout.isNegative()) {
            throw new IllegalArgumentException(
                    "Idle call timeout must not be negative: " + idleCallTimeout);
        }
    }

    /**
     * Creates a definition with defaults: the default limits of calls, converted arguments, one
     * shared session without a maximum age, and results of any length.
     */
    public ServerDefinition(
            ResourceKey server,
            SessionKey key,
            ServerAddress address,
            ReconnectPolicy reconnect,
            Duration idleTimeout,
            Duration callTimeout,
            Duration startupTimeout) {
        this(
                server,
                key,
                address,
                reconnect,
                idleTimeout,
                callTimeout,
                startupTimeout,
                Duration.ZERO,
                CallLimits.DEFAULT,
                SessionPolicy.NONE,
                OutputLimit.NONE,
                1,
                false,
                ServerRequestPolicy.DEFAULT,
                Isolation.NONE,
                ArgumentMode.COERCE);
    }

    public ServerDefinition withIdleTimeout(Duration replacement) {
        return new ServerDefinition(
                server,
                key,
                address,
                reconnect,
                replacement,
                callTimeout,
                startupTimeout,
                idleCallTimeout,
                limits,
                policy,
                output,
                maxSessions,
                singleton,
                requestPolicy,
                isolation,
                argumentMode);
    }
}
