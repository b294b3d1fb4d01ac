package dev.orloj.runtime.session;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.transport.ServerAddress;

import java.time.Duration;

/**
 * Everything that is needed to open a session with one server, secrets resolved. {@code toString}
 * shows none of them.
 *
 * @param idleTimeout a session without a tool call for this long is closed; zero means never
 * @param callTimeout how long a call may take that says nothing else
 * @param startupTimeout how long the server may take to answer {@code initialize}
 */
public record ServerDefinition(
        ResourceKey server,
        SessionKey key,
        ServerAddress address,
        Reconnect reconnect,
        Duration idleTimeout,
        Duration callTimeout,
        Duration startupTimeout) {

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
    }
}
