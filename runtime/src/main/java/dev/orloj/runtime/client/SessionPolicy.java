package dev.orloj.runtime.client;

import dev.orloj.runtime.session.definition.SessionSettings;

import java.time.Duration;
import java.util.Optional;

/**
 * Determines when sessions with a server are probed and replaced.
 *
 * @param health the health probe; empty for none
 * @param maxLifetime maximum age, after which a session is replaced; zero means no limit
 * @param maxCalls number of calls after which a session is replaced; zero means no limit
 * @param drainTimeout how long calls in flight may continue when their session is replaced or
 *     retired; empty means the timeout in {@link SessionSettings}
 */
public record SessionPolicy(
        Optional<HealthProbe> health,
        Duration maxLifetime,
        long maxCalls,
        Optional<Duration> drainTimeout) {

    /** No probe and no replacement. */
    public static final SessionPolicy NONE =
            new SessionPolicy(Optional.empty(), Duration.ZERO, 0, Optional.empty());

    /**
     * A periodic ping.
     *
     * @param timeout timeout of one ping
     * @param failures number of consecutive missed replies after which the session fails
     */
    public record HealthProbe(Duration period, Duration timeout, int failures) {

        public HealthProbe {
            if (!period.isPositive() || !timeout.isPositive()) {
                throw new IllegalArgumentException(
                        "Period and timeout of a health probe must be positive: %s, %s"
                                .formatted(period, timeout));
            }
            if (failures < 1) {
                throw new IllegalArgumentException(
                        "Failures of a health probe must be at least 1: " + failures);
            }
        }
    }

    public SessionPolicy {
        if (maxLifetime.isNegative() || maxCalls < 0) {
            throw new IllegalArgumentException(
                    "Lifetime and calls of a session must not be negative: %s, %d"
                            .formatted(maxLifetime, maxCalls));
        }
        if (drainTimeout.isPresent() && drainTimeout.get().isNegative()) {
            throw new IllegalArgumentException(
                    "Drain timeout must not be negative: " + drainTimeout.get());
        }
    }
}
