package dev.orloj.server.access.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.ByteSize;
import dev.orloj.server.access.limits.CallerLimits.LimitExceededException;
import dev.orloj.server.properties.CallerLimitProperties;

import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** I-09: the limits of one user, on a clock of the test. */
class CallerLimitsTest {

    private final AtomicLong clock = new AtomicLong();
    private final CallerLimits limits =
            new CallerLimits(new CallerLimitProperties(3, 10, new ByteSize("1m")), clock::get);

    private void expectRefusal(String user, long size, CallerLimits.Limit limit) {
        assertThatThrownBy(() -> limits.enter(user, size))
                .isInstanceOfSatisfying(
                        LimitExceededException.class, e -> assertThat(e.limit()).isEqualTo(limit));
    }

    @Test
    void requestInProgressTakesAPlaceUntilItsEnd() throws Exception {
        try (CallerLimits.Admission _ = limits.enter("ann", 0);
                CallerLimits.Admission _ = limits.enter("ann", 0)) {
            try (CallerLimits.Admission _ = limits.enter("ann", 0)) {
                expectRefusal("ann", 0, CallerLimits.Limit.REQUESTS);
                limits.enter("ben", 0).close();
            }
            limits.enter("ann", 0).close();
        }
    }

    @Test
    void twiceTheRateMayComeAtOnceAndThenTheRate() throws Exception {
        for (int i = 0; i < 21; i++) {
            limits.enter("ann", 0).close();
        }
        expectRefusal("ann", 0, CallerLimits.Limit.RATE);
        limits.enter("ben", 0).close();

        clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(100));
        limits.enter("ann", 0).close();
        expectRefusal("ann", 0, CallerLimits.Limit.RATE);
    }

    /** A single body has the limit of all bodies, which is elsewhere. */
    @Test
    void bodiesOfOneUserTakeUpToTheLimitTogether() throws Exception {
        try (CallerLimits.Admission _ = limits.enter("ann", 1_000_000)) {
            expectRefusal("ann", 100_000, CallerLimits.Limit.BYTES);
            limits.enter("ann", 10).close();
            limits.enter("ben", 100_000).close();
        }
        limits.enter("ann", 2_000_000).close();
    }

    @Test
    void idleUsersAreForgotten() throws Exception {
        CallerLimits.Admission stays = limits.enter("ann", 0);
        for (int i = 0; i < CallerLimits.MAX_USERS; i++) {
            limits.enter("user-" + i, 0).close();
        }
        clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
        limits.enter("one-more", 0).close();

        assertThat(limits.users()).isLessThan(10);
        stays.close();
    }
}
