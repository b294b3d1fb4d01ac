package dev.orloj.runtime.session.definition;

import java.time.Duration;

/**
 * How long the parts of a session with a server may take.
 *
 * @param idle closes a session after this time without a tool call; zero means never
 * @param call timeout of a call that sets none itself
 * @param startup how long the server may take to answer {@code initialize}
 * @param idleCall timeout of a call without progress; zero means that only the timeout of the whole
 *     call applies
 */
public record Timeouts(Duration idle, Duration call, Duration startup, Duration idleCall) {

    public Timeouts {
        if (idle.isNegative()) {
            throw new IllegalArgumentException("Idle timeout must not be negative: " + idle);
        }
        if (!call.isPositive()) {
            throw new IllegalArgumentException("Call timeout must be positive: " + call);
        }
        if (!startup.isPositive()) {
            throw new IllegalArgumentException("Startup timeout must be positive: " + startup);
        }
        if (idleCall.isNegative()) {
            throw new IllegalArgumentException(
                    "Idle call timeout must not be negative: " + idleCall);
        }
    }

    public Timeouts withIdle(Duration replacement) {
        return new Timeouts(replacement, call, startup, idleCall);
    }
}
