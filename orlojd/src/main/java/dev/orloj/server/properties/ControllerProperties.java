package dev.orloj.server.properties;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * Settings of the controllers.
 *
 * @param workers how many McpServers are reconciled at a time
 * @param resyncPeriod how often the tools of a connected server are listed again
 * @param startupTimeout how long a server may take to answer {@code initialize}, unless its
 *     manifest sets another timeout
 * @param shutdownGrace how long a process may take to exit, before and after SIGTERM, unless the
 *     manifest of its server sets another time
 * @param eventTtl how long an event is kept after its last occurrence
 */
@ConfigurationProperties("orloj.controllers")
public record ControllerProperties(
        @DefaultValue("16") int workers,
        @DefaultValue("5m") Duration resyncPeriod,
        @DefaultValue("30s") Duration startupTimeout,
        @DefaultValue("5s") Duration shutdownGrace,
        @DefaultValue("1h") Duration eventTtl) {

    public ControllerProperties {
        if (workers < 1) {
            throw new IllegalArgumentException(
                    "orloj.controllers.workers is %d; give at least 1".formatted(workers));
        }
        requireSecond("resync-period", resyncPeriod);
        requireSecond("event-ttl", eventTtl);
    }

    private static void requireSecond(String property, Duration given) {
        if (given.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException(
                    "orloj.controllers.%s is %s; give at least 1s".formatted(property, given));
        }
    }
}
