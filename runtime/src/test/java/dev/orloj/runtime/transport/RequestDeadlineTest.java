package dev.orloj.runtime.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

class RequestDeadlineTest {

    private final AtomicLong now = new AtomicLong(1_000);

    @Test
    void withoutABoundOnSilenceOnlyTheWholeTimeCounts() {
        RequestDeadline deadline = deadline(10, 0);

        advance(9);
        assertThat(deadline.nanosLeft()).isEqualTo(Duration.ofSeconds(1).toNanos());
        advance(1);

        assertThat(deadline.nanosLeft()).isZero();
        assertThat(deadline.exceeded("tools/call"))
                .hasMessage("No answer to \"tools/call\" within 10000 ms")
                .satisfies(e -> assertThat(e.silent()).isFalse());
    }

    @Test
    void silenceEndsIt() {
        RequestDeadline deadline = deadline(10, 2);

        advance(2);

        assertThat(deadline.nanosLeft()).isZero();
        assertThat(deadline.exceeded("tools/call"))
                .hasMessage("No answer to \"tools/call\" and no progress within 2000 ms")
                .satisfies(e -> assertThat(e.silent()).isTrue());
    }

    @Test
    void progressMovesTheEndOfSilenceAndNotTheEndInAll() {
        RequestDeadline deadline = deadline(5, 2);
        for (int i = 0; i < 4; i++) {
            advance(1);
            deadline.progressed();
        }
        assertThat(deadline.nanosLeft()).isEqualTo(Duration.ofSeconds(1).toNanos());

        advance(1);

        assertThat(deadline.nanosLeft()).isZero();
        assertThat(deadline.exceeded("tools/call").after()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void pausesDoNotCountHoweverTheyOverlap() {
        RequestDeadline deadline = deadline(10, 2);
        advance(1);
        deadline.pause();
        advance(3);
        deadline.pause();
        advance(30);
        deadline.resume();
        advance(5);
        assertThat(deadline.nanosLeft()).isEqualTo(Duration.ofSeconds(9).toNanos());

        deadline.resume();

        assertThat(deadline.nanosLeft()).isEqualTo(Duration.ofSeconds(2).toNanos());
        advance(1);
        deadline.progressed();
        advance(1);
        assertThat(deadline.nanosLeft()).isEqualTo(Duration.ofSeconds(1).toNanos());
    }

    @Test
    void pausedDeadlineIsLookedAtBeforeSilenceThatBeginsNowIsTooLong() {
        RequestDeadline deadline = deadline(600, 30);

        deadline.pause();

        assertThat(deadline.nanosToWait()).isEqualTo(Duration.ofSeconds(30).toNanos());
    }

    @Test
    void pausedDeadlineWithLittleLeftIsNotLookedAtAllTheTime() {
        RequestDeadline deadline = deadline(10, 0);
        now.addAndGet(Duration.ofMillis(9_999).toNanos());
        assertThat(deadline.nanosToWait()).isEqualTo(Duration.ofMillis(1).toNanos());

        deadline.pause();
        assertThat(deadline.nanosToWait()).isEqualTo(Duration.ofMillis(100).toNanos());

        deadline.resume();
        assertThat(deadline.nanosToWait()).isEqualTo(Duration.ofMillis(1).toNanos());
    }

    private RequestDeadline deadline(int total, int silence) {
        return RequestDeadline.of(Duration.ofSeconds(total), Duration.ofSeconds(silence), now::get);
    }

    private void advance(int seconds) {
        now.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }
}
