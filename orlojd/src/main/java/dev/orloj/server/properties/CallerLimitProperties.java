package dev.orloj.server.properties;

import dev.orloj.api.ByteSize;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Limits for each user of the port that requires authentication, so that one of them cannot keep
 * the others from being served.
 *
 * @param maxRequests at the same time, open streams included
 * @param maxRequestsPerSecond on average; twice as many at once
 * @param maxBytes of all bodies of requests in progress together
 */
@ConfigurationProperties("orloj.caller-limits")
public record CallerLimitProperties(
        @DefaultValue("1000") int maxRequests,
        @DefaultValue("10000") int maxRequestsPerSecond,
        @DefaultValue("256m") ByteSize maxBytes) {

    private static final int MOST = 1_000_000;

    public CallerLimitProperties {
        require("max-requests", maxRequests);
        require("max-requests-per-second", maxRequestsPerSecond);
        if (maxBytes.bytes() < 1024 * 1024) {
            throw new InvalidConfigurationException(
                    "orloj.caller-limits.max-bytes is %s; give at least 1m"
                            .formatted(maxBytes.text()));
        }
    }

    private static void require(String name, int number) {
        if (number < 1 || number > MOST) {
            throw new InvalidConfigurationException(
                    "orloj.caller-limits.%s is %d; give 1 to %d".formatted(name, number, MOST));
        }
    }
}
