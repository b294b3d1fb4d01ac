package dev.orloj.server.properties;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * Settings of the audit log.
 *
 * @param level what is recorded of a request
 * @param failurePolicy what happens to requests while events cannot be written
 * @param maxAge how long an event is kept
 * @param maxEvents how many events are kept
 * @param maxWaiting how many events wait for the database at most
 */
@ConfigurationProperties("orloj.audit")
public record AuditProperties(
        @DefaultValue("metadata") Level level,
        @DefaultValue("ignore") FailurePolicy failurePolicy,
        @DefaultValue("720h") Duration maxAge,
        @DefaultValue("1000000") long maxEvents,
        @DefaultValue("10000") int maxWaiting) {

    /** The levels of Kubernetes that there are. */
    public enum Level {
        NONE,
        METADATA
    }

    /** As that of webhooks in Kubernetes. */
    public enum FailurePolicy {
        /** Requests are served, and the events that do not fit are counted. */
        IGNORE,
        /** Writes and calls are refused. */
        FAIL
    }

    private static final Duration SHORTEST = Duration.ofMinutes(1);
    private static final int MAX_WAITING = 1_000_000;

    public AuditProperties {
        if (maxAge.compareTo(SHORTEST) < 0) {
            throw new InvalidConfigurationException(
                    "orloj.audit.max-age is %s; give at least 1m".formatted(maxAge));
        }
        if (maxEvents < 1) {
            throw new InvalidConfigurationException(
                    "orloj.audit.max-events is %d; give at least 1".formatted(maxEvents));
        }
        if (maxWaiting < 1 || maxWaiting > MAX_WAITING) {
            throw new InvalidConfigurationException(
                    "orloj.audit.max-waiting is %d; give 1 to %d"
                            .formatted(maxWaiting, MAX_WAITING));
        }
    }
}
