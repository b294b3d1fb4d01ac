package dev.orloj.runtime.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.runtime.limit.CallLimits.Breaker;
import dev.orloj.runtime.limit.CallLimits.Rate;
import dev.orloj.runtime.testkit.ManualScheduler;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

@Timeout(30)
class CallPermitsTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final RuntimeException BROKEN = new IllegalStateException("broken pipe");

    private final ManualScheduler clock = new ManualScheduler();

    @Test
    void callBeyondTheMostIsRefusedAndOneThatEndsMakesRoom() throws Exception {
        CallPermits permits = permits(limits(2, 0, LONG));
        CallPermit first = permits.acquire();
        permits.acquire();

        assertThatExceptionOfType(LimitReachedException.class)
                .isThrownBy(permits::acquire)
                .withMessage("max_concurrent_calls is 2")
                .satisfies(
                        e -> {
                            assertThat(e.limit()).isEqualTo(Limit.MAX_CONCURRENT_CALLS);
                            assertThat(e.retryAfter()).isEqualTo(Duration.ofSeconds(1));
                        });
        first.close();
        permits.acquire();
    }

    @Test
    void queuedCallBeginsWhenAnotherOneEnds() throws Exception {
        CallPermits permits = permits(limits(1, 1, LONG));
        CallPermit first = permits.acquire();
        FutureTask<CallPermit> queued = waiting(permits);

        assertThatExceptionOfType(LimitReachedException.class)
                .isThrownBy(permits::acquire)
                .withMessage("max_concurrent_calls is 1, and max_queued_calls, 1, wait");
        first.close();

        queued.get().close();
        permits.acquire();
    }

    @Test
    void queuedCallIsRefusedWhenItsTimeIsOver() throws Exception {
        CallPermits permits = permits(limits(1, 5, Duration.ofMillis(10)));
        CallPermit first = permits.acquire();

        assertThatExceptionOfType(LimitReachedException.class)
                .isThrownBy(permits::acquire)
                .withMessage(
                        "max_concurrent_calls is 1, and none ended within queue_timeout, 10 ms")
                .satisfies(e -> assertThat(e.limit()).isEqualTo(Limit.QUEUE_TIMEOUT));
        first.close();
        permits.acquire();
    }

    @Test
    void interruptedWaitLeavesItsPlaceInTheQueue() throws Exception {
        CallPermits permits = permits(limits(1, 1, LONG));
        CallPermit first = permits.acquire();
        CountDownLatch interrupted = new CountDownLatch(1);
        Thread waiter =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        permits.acquire();
                                    } catch (InterruptedException e) {
                                        interrupted.countDown();
                                    }
                                });
        awaitWaiting(waiter);

        waiter.interrupt();
        interrupted.await();

        FutureTask<CallPermit> next = waiting(permits);
        first.close();
        next.get().close();
    }

    @Test
    void rateIsHeldToAndSaysWhenThereIsMore() throws Exception {
        CallPermits permits =
                permits(
                        new CallLimits(
                                10,
                                0,
                                LONG,
                                Optional.of(new Rate(2, Duration.ofSeconds(10))),
                                Optional.empty()));
        clock.advance(Duration.ofSeconds(4));
        permits.acquire().close();
        permits.acquire().close();

        assertThatExceptionOfType(LimitReachedException.class)
                .isThrownBy(permits::acquire)
                .withMessage("rate_limit is 2 calls in 10000 ms")
                .satisfies(
                        e -> {
                            assertThat(e.limit()).isEqualTo(Limit.RATE_LIMIT);
                            assertThat(e.retryAfter()).isEqualTo(Duration.ofSeconds(6));
                        });
        clock.advance(Duration.ofSeconds(6));
        permits.acquire().close();
    }

    @Test
    void breakerOpensAfterLostCallsAndLetsOneTryLater() throws Exception {
        CallPermits permits = permits(breaker(3));
        lose(permits, 2);
        succeed(permits);
        lose(permits, 1);

        assertThatExceptionOfType(LimitReachedException.class)
                .isThrownBy(permits::acquire)
                .withMessage(
                        "circuit_breaker is open after 3 calls lost within 60 s: the last one"
                                + " failed: broken pipe")
                .satisfies(
                        e -> {
                            assertThat(e.limit()).isEqualTo(Limit.CIRCUIT_BREAKER);
                            assertThat(e.retryAfter()).isEqualTo(Duration.ofSeconds(30));
                        });
        clock.advance(Duration.ofSeconds(31));

        CallPermit trial = permits.acquire();
        assertThatThrownBy(permits::acquire).isInstanceOf(LimitReachedException.class);
        trial.answered();
        trial.close();
        succeed(permits);
    }

    @Test
    void breakerStaysOpenWhenTheTrialIsLostToo() throws Exception {
        CallPermits permits = permits(breaker(1));
        lose(permits, 1);
        clock.advance(Duration.ofSeconds(31));

        lose(permits, 1);

        assertThatThrownBy(permits::acquire).isInstanceOf(LimitReachedException.class);
    }

    @Test
    void trialThatProvesNothingLeavesItsPlaceToTheNextOne() throws Exception {
        CallPermits permits = permits(breaker(1));
        lose(permits, 1);
        clock.advance(Duration.ofSeconds(31));

        permits.acquire().close();

        succeed(permits);
        succeed(permits);
    }

    @Test
    void lostCallsOutOfTheWindowAreForgotten() throws Exception {
        CallPermits permits = permits(breaker(2));
        lose(permits, 1);
        clock.advance(Duration.ofSeconds(61));
        lose(permits, 1);

        succeed(permits);
    }

    @Test
    void anyOrderOfCallsLeavesAllRoom() throws Exception {
        long seed = 4;
        Random random = new Random(seed);
        CallPermits permits =
                permits(
                        new CallLimits(
                                3,
                                2,
                                Duration.ZERO,
                                Optional.of(new Rate(20, Duration.ofSeconds(1))),
                                Optional.of(
                                        new Breaker(
                                                4, Duration.ofSeconds(5), Duration.ofSeconds(5)))));
        List<CallPermit> held = new ArrayList<>();
        for (int step = 0; step < 5_000; step++) {
            if (held.isEmpty() || random.nextInt(3) > 0) {
                try {
                    held.add(permits.acquire());
                } catch (LimitReachedException e) {
                    assertThat(e.retryAfter()).isPositive();
                }
            } else {
                end(held.remove(random.nextInt(held.size())), random.nextInt(3));
            }
            assertThat(held).as("seed %d, step %d", seed, step).hasSizeLessThanOrEqualTo(3);
            clock.advance(Duration.ofMillis(random.nextInt(100)));
        }
        held.forEach(CallPermit::close);

        clock.advance(Duration.ofSeconds(10));
        succeed(permits);
        for (int i = 0; i < 3; i++) {
            permits.acquire();
        }
    }

    private static void end(CallPermit permit, int how) {
        switch (how) {
            case 0 -> permit.answered();
            case 1 -> permit.lost(BROKEN);
            default -> {}
        }
        permit.close();
    }

    private CallPermits permits(CallLimits limits) {
        Instant start = clock.instant();
        return new CallPermits(
                limits, clock, () -> Duration.between(start, clock.instant()).toNanos());
    }

    private static CallLimits limits(int concurrent, int queued, Duration queueTimeout) {
        return new CallLimits(concurrent, queued, queueTimeout, Optional.empty(), Optional.empty());
    }

    private static CallLimits breaker(int failures) {
        return new CallLimits(
                10,
                0,
                LONG,
                Optional.empty(),
                Optional.of(new Breaker(failures, LONG, Duration.ofSeconds(30))));
    }

    private static void lose(CallPermits permits, int times) throws InterruptedException {
        for (int i = 0; i < times; i++) {
            try (CallPermit permit = permits.acquire()) {
                permit.lost(BROKEN);
            }
        }
    }

    private static void succeed(CallPermits permits) throws InterruptedException {
        try (CallPermit permit = permits.acquire()) {
            permit.answered();
        }
    }

    /** A caller in the queue; returns when it is there. */
    private static FutureTask<CallPermit> waiting(CallPermits permits) {
        FutureTask<CallPermit> task = new FutureTask<>(permits::acquire);
        awaitWaiting(Thread.ofVirtual().start(task));
        return task;
    }

    private static void awaitWaiting(Thread thread) {
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    }
}
