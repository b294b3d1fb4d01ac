package dev.orloj.server.properties;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * Settings of durable tool calls, which continue without their clients.
 *
 * @param kept how long the answer of a call stays available after its end
 */
@ConfigurationProperties("orloj.calls")
public record CallProperties(@DefaultValue("1h") Duration kept) {

    public CallProperties {
        if (kept.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException(
                    "orloj.calls.kept is %s; give at least 1s".formatted(kept));
        }
    }
}
