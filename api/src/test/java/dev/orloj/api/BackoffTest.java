package dev.orloj.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Random;
import java.util.stream.IntStream;

class BackoffTest {

    private final Backoff exact = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(2), 0);

    @Test
    void doublesUntilTheCap() {
        assertThat(IntStream.rangeClosed(1, 7).mapToObj(n -> exact.delay(n)))
                .extracting(Duration::toMillis)
                .containsExactly(100L, 200L, 400L, 800L, 1600L, 2000L, 2000L);
    }

    @Test
    void staysAtTheCapHoweverManyFailures() {
        assertThat(exact.delay(64)).isEqualTo(Duration.ofSeconds(2));
        assertThat(exact.delay(Integer.MAX_VALUE)).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void initialWaitAboveTheCapStays() {
        Backoff constant = Backoff.of(Duration.ofMinutes(5), Duration.ofMinutes(1));
        assertThat(constant.delay(1)).isEqualTo(Duration.ofMinutes(5));
        assertThat(constant.delay(9)).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void jitterOnlyShortens() {
        Backoff jittered = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(2), 0.5);
        Random random = new Random(7);
        for (int i = 0; i < 1000; i++) {
            assertThat(jittered.delay(5, random))
                    .isBetween(Duration.ofMillis(800), Duration.ofMillis(1600));
        }
    }

    @Test
    void refusesWhatCannotBeWaited() {
        assertThatThrownBy(() -> new Backoff(Duration.ZERO, Duration.ofSeconds(1), 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(1), 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1), 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> exact.delay(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
