package dev.orloj.runtime.session.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.random.RandomGenerator;

class ReconnectPolicyTest {

    private static final RandomGenerator NO_JITTER = () -> 0L;
    private static final RandomGenerator MAX_JITTER = () -> -1L;

    @Test
    void delayDoublesUpToAMinute() {
        ReconnectPolicy reconnect = new ReconnectPolicy(100, Duration.ofSeconds(2));

        assertThat(reconnect.delayAfter(1, NO_JITTER)).isEqualTo(Duration.ofSeconds(2));
        assertThat(reconnect.delayAfter(2, NO_JITTER)).isEqualTo(Duration.ofSeconds(4));
        assertThat(reconnect.delayAfter(5, NO_JITTER)).isEqualTo(Duration.ofSeconds(32));
        assertThat(reconnect.delayAfter(6, NO_JITTER)).isEqualTo(Duration.ofMinutes(1));
        assertThat(reconnect.delayAfter(99, NO_JITTER)).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void longerBackoffIsKept() {
        ReconnectPolicy reconnect = new ReconnectPolicy(3, Duration.ofMinutes(5));

        assertThat(reconnect.delayAfter(2, NO_JITTER)).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void jitterAddsAFifthAtMost() {
        ReconnectPolicy reconnect = new ReconnectPolicy(3, Duration.ofSeconds(10));

        assertThat(reconnect.delayAfter(1, MAX_JITTER))
                .isBetween(Duration.ofMillis(11_900), Duration.ofSeconds(12));
    }

    @Test
    void lessThanOneAttemptIsRefused() {
        assertThatThrownBy(() -> new ReconnectPolicy(0, Duration.ZERO))
                .hasMessage("Reconnect attempts must be at least 1: 0");
    }
}
