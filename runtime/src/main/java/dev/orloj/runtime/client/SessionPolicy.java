package dev.orloj.runtime.client;

import dev.orloj.runtime.session.definition.SessionSettings;

import java.time.Duration;
import java.util.Optional;

/**
 * When sessions with a server are probed and replaced.
 *
 * @param health the health probe; empty for none
 * @param maxLifetime a session older than this is replaced; zero means never
 * @param maxCalls a session with so many calls is replaced; zero means never
 * @param drainTimeout how long calls in flight may go on when their session is replaced or retired;
 *     empty means as {@link SessionSettings} say
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
     * Sends a ping in each period.
     *
     * @param timeout of one ping
     * @param failures the session fails after so many missed replies in a row
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
