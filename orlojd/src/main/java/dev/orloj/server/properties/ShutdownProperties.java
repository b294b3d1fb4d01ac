package dev.orloj.server.properties;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * Settings of the shutdown.
 *
 * @param callGrace how long calls in flight may continue, 0 to 24 hours
 * @param delay how long requests are answered after SIGTERM, 0 to 24 hours
 */
@ConfigurationProperties("orloj.shutdown")
public record ShutdownProperties(
        @DefaultValue("4s") Duration callGrace, @DefaultValue("0s") Duration delay) {

    private static final Duration MAX = Duration.ofHours(24);

    public ShutdownProperties {
        requireInRange("orloj.shutdown.call-grace", callGrace);
        requireInRange("orloj.shutdown.delay", delay);
    }

    private static void requireInRange(String property, Duration duration) {
        if (duration.isNegative() || duration.compareTo(MAX) > 0) {
            throw new IllegalArgumentException(
                    "%s is %s; give 0s to %dh".formatted(property, duration, MAX.toHours()));
        }
    }

    /** Returns the longest time that a shutdown takes before the servers and the database end. */
    public Duration total() {
        return delay.plus(callGrace);
    }
}
