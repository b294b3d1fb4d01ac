package dev.orloj.runtime.session.definition;

import dev.orloj.runtime.limit.ProcessLimits;

import java.time.Duration;

/**
 * @param clientVersion what servers are told about our version
 * @param drainTimeout how long calls in flight may go on when their session is replaced or retired,
 *     unless the server says so itself
 * @param shutdownTimeout how long they may go on when everything stops
 * @param limits what all sessions together are held to
 */
public record SessionSettings(
        String clientVersion,
        Duration drainTimeout,
        Duration shutdownTimeout,
        ProcessLimits limits) {

    /** Thirty seconds to drain, five when everything stops, no ceilings. */
    public static SessionSettings withVersion(String clientVersion) {
        return new SessionSettings(
                clientVersion, Duration.ofSeconds(30), Duration.ofSeconds(5), ProcessLimits.NONE);
    }
}
