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
 * Everything that is needed to open a session with one server, secrets resolved. {@code toString}
 * shows none of them.
 *
 * @param idleTimeout a session without a tool call for this long is closed; zero means never
 * @param callTimeout how long a call may take that says nothing else
 * @param startupTimeout how long the server may take to answer {@code initialize}
 * @param idleCallTimeout how long a call may go on without a sign of progress; zero means as long
 *     as any call
 * @param maxSessions how many sessions may be open side by side, each with a call at a time as long
 *     as there are enough
 * @param singleton whether the server bears no second session, wherever it is open and even while
 *     one takes the place of another
 * @param requestPolicy what the server may ask the clients of its calls; a part of the key, too
 * @param isolation which clients share a session
 * @param argumentMode what becomes of arguments that do not fit the schema of their tool
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
     * One whose calls are held to the usual limits, have their arguments converted, and share a
     * session, whose sessions live until they die, and whose results may be of any length.
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
