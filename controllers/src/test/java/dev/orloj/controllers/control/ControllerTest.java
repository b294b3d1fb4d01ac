package dev.orloj.controllers.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ApiException;
import dev.orloj.api.Backoff;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.controllers.workqueue.WorkTimings;
import dev.orloj.controllers.workqueue.Workqueue;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

class ControllerTest {

    private static final ResourceKey KEY = new ResourceKey("default", "a");
    private static final Backoff BACKOFF =
            new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(60), 0);

    private final ManualClock clock = new ManualClock();
    private final Workqueue<ResourceKey> queue = new Workqueue<>(BACKOFF, clock, new Random(1));

    /** Hands the key to the reconciler once. */
    private void processOnce(Reconciler reconciler) throws InterruptedException {
        queue.add(KEY);
        queue.poll();
        new Controller("test", queue, reconciler, LeaderElector.ALWAYS, 1).process(KEY);
    }

    private void assertDueAfter(Duration delay) {
        clock.advance(delay.minusMillis(1));
        assertThat(queue.poll()).isEmpty();
        clock.advance(Duration.ofMillis(1));
        assertThat(queue.poll()).contains(KEY);
    }

    private static Reconciler failing(RuntimeException cause) {
        return key -> {
            throw cause;
        };
    }

    @Test
    void doneIsNotLookedAtAgain() throws InterruptedException {
        processOnce(key -> Result.DONE);

        assertThat(queue.size()).isZero();
    }

    /** H-29. */
    @Test
    void timeOfWorkIsReportedWhateverComesOfIt() throws InterruptedException {
        List<Duration> worked = new ArrayList<>();
        queue.reportTo(
                new WorkTimings() {
                    @Override
                    public void waited(Duration time) {}

                    @Override
                    public void worked(Duration time) {
                        worked.add(time);
                    }
                });

        processOnce(key -> Result.DONE);
        processOnce(failing(new IllegalStateException("broken")));

        assertThat(worked).hasSize(2).noneMatch(Duration::isNegative);
    }

    @Test
    void waitingIsLookedAtAgainAfterTheDelay() throws InterruptedException {
        processOnce(key -> Result.requeueAfter(Duration.ofMinutes(5)));

        assertDueAfter(Duration.ofMinutes(5));
        assertThat(queue.retry(KEY)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void failureIsTriedAgainWithGrowingBackoffAndForgottenOnSuccess() throws InterruptedException {
        Reconciler broken = failing(new IllegalStateException("broken"));
        processOnce(broken);
        assertDueAfter(Duration.ofSeconds(1));
        queue.done(KEY);
        processOnce(broken);
        assertDueAfter(Duration.ofSeconds(2));
        queue.done(KEY);

        processOnce(key -> Result.DONE);

        assertThat(queue.retry(KEY)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void reportedFailureIsTriedAgainToo() throws InterruptedException {
        processOnce(failing(new RetryException("no answer", new IllegalStateException())));

        assertDueAfter(Duration.ofSeconds(1));
    }

    @Test
    void conflictIsTriedAgain() throws InterruptedException {
        processOnce(failing(ApiException.conflict(Namespace.KIND, "a")));

        assertDueAfter(Duration.ofSeconds(1));
    }

    @Test
    void errorOfTheMachineDoesNotTakeTheWorkerAlong() throws InterruptedException {
        processOnce(
                key -> {
                    throw new StackOverflowError();
                });

        assertDueAfter(Duration.ofSeconds(1));
    }

    @Test
    void slowKeyDoesNotHoldUpOthersAndIsNeverWithTwoWorkers() throws InterruptedException {
        Workqueue<ResourceKey> live =
                new Workqueue<>(BACKOFF, InstantSource.system(), new Random(1));
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger slow = new AtomicInteger();
        AtomicInteger others = new AtomicInteger();
        Controller controller =
                new Controller(
                        "test",
                        live,
                        key -> {
                            if (key.equals(KEY)) {
                                slow.incrementAndGet();
                                release.await();
                            } else {
                                others.incrementAndGet();
                            }
                            return Result.DONE;
                        },
                        LeaderElector.ALWAYS,
                        4);
        controller.start();
        live.add(KEY);
        await().untilAsserted(() -> assertThat(slow).hasValue(1));
        live.add(KEY);
        for (int i = 0; i < 20; i++) {
            live.add(new ResourceKey("default", "other-" + i));
        }
        await().untilAsserted(() -> assertThat(others).hasValue(20));
        assertThat(slow).hasValue(1);

        release.countDown();

        await().untilAsserted(() -> assertThat(slow).hasValue(2));
        controller.stop();
    }

    @Test
    void stopInterruptsWhoIsAtWork() throws InterruptedException {
        Workqueue<ResourceKey> live =
                new Workqueue<>(BACKOFF, InstantSource.system(), new Random(1));
        CountDownLatch started = new CountDownLatch(1);
        AtomicInteger interrupted = new AtomicInteger();
        Controller controller =
                new Controller(
                        "test",
                        live,
                        key -> {
                            started.countDown();
                            try {
                                new CountDownLatch(1).await();
                            } catch (InterruptedException e) {
                                interrupted.incrementAndGet();
                                throw e;
                            }
                            return Result.DONE;
                        },
                        LeaderElector.ALWAYS,
                        1);
        controller.start();
        live.add(KEY);
        started.await();

        controller.stop();

        assertThat(interrupted).hasValue(1);
    }

    @Test
    void nothingIsReconciledBeforeThisReplicaLeads() throws InterruptedException {
        Workqueue<ResourceKey> live =
                new Workqueue<>(BACKOFF, InstantSource.system(), new Random(1));
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch elected = new CountDownLatch(1);
        AtomicInteger reconciled = new AtomicInteger();
        LeaderElector elector =
                () -> {
                    asked.countDown();
                    elected.await();
                };
        Controller controller =
                new Controller(
                        "test",
                        live,
                        key -> {
                            reconciled.incrementAndGet();
                            return Result.DONE;
                        },
                        elector,
                        1);
        controller.start();
        live.add(KEY);
        asked.await();
        assertThat(reconciled).hasValue(0);

        elected.countDown();

        await().untilAsserted(() -> assertThat(reconciled).hasValue(1));
        controller.stop();
    }
}
