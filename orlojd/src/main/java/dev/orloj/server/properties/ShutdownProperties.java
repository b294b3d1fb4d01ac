package dev.orloj.server.properties;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * Settings of the shutdown.
 *
 * @param callGrace how long calls in flight may continue
 */
@ConfigurationProperties("orloj.shutdown")
public record ShutdownProperties(@DefaultValue("4s") Duration callGrace) {

    public ShutdownProperties {
        if (callGrace.isNegative()) {
            throw new IllegalArgumentException(
                    "orloj.shutdown.call-grace is %s; give 0s or more".formatted(callGrace));
        }
    }
}
