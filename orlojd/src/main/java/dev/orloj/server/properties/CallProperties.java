package dev.orloj.server.properties;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * Calls of tools that go on without their callers.
 *
 * @param kept how long after its end the answer of one can be asked for
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
