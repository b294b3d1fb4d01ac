package dev.orloj.runtime.session.definition;

import dev.orloj.runtime.limit.ProcessLimits;

import java.time.Duration;

/**
 * Settings that all sessions share.
 *
 * @param clientVersion the version of Orloj that servers receive
 * @param drainTimeout how long calls in flight may continue when their session is replaced or
 *     retired, unless the server sets its own timeout
 * @param shutdownTimeout how long calls in flight may continue at shutdown
 * @param limits the limits of all sessions together
 */
public record SessionSettings(
        String clientVersion,
        Duration drainTimeout,
        Duration shutdownTimeout,
        ProcessLimits limits) {

    /** Returns the defaults: 30 seconds to drain, 5 seconds at shutdown, and no limits. */
    public static SessionSettings withVersion(String clientVersion) {
        return new SessionSettings(
                clientVersion, Duration.ofSeconds(30), Duration.ofSeconds(5), ProcessLimits.NONE);
    }
}
