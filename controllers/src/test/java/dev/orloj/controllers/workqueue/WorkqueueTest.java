package dev.orloj.controllers.workqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.Backoff;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.controllers.workqueue.Workqueue.Priority;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

class WorkqueueTest {

    private static final Backoff BACKOFF =
            new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(8), 0);

    private final ManualClock clock = new ManualClock();
    private final Workqueue<String> queue = new Workqueue<>(BACKOFF, clock, new Random(1));

    private List<String> takeAllReady() {
        List<String> taken = new ArrayList<>();
        for (var next = queue.poll(); next.isPresent(); next = queue.poll()) {
            taken.add(next.get());
        }
        return taken;
    }

    @Test
    void addedTwiceIsTakenOnce() {
        queue.add("a");
        queue.add("a");

        assertThat(takeAllReady()).containsExactly("a");
    }

    /** H-29. */
    @Test
    void waitIsReportedFromTheTimeWhenTheKeyIsDue() {
        List<Duration> waits = new ArrayList<>();
        queue.reportTo(
                new WorkTimings() {
                    @Override
                    public void waited(Duration time) {
                        waits.add(time);
                    }

                    @Override
                    public void worked(Duration time) {}
                });
        queue.add("now");
        queue.addAfter("later", Duration.ofSeconds(2));
        clock.advance(Duration.ofSeconds(3));

        takeAllReady();

        assertThat(waits).containsExactlyInAnyOrder(Duration.ofSeconds(3), Duration.ofSeconds(1));
    }

    @Test
    void keysAreTakenInTheOrderTheyCame() {
        queue.add("b");
        queue.add("a");
        queue.add("c");
        queue.add("b");

        assertThat(takeAllReady()).containsExactly("b", "a", "c");
    }

    /** W1. */
    @Test
    void heldKeyIsNotGivenToAnotherWorker() {
        queue.add("a");
        assertThat(queue.poll()).contains("a");
        queue.add("a");

        assertThat(queue.poll()).isEmpty();
    }

    /**
     * W1 and W3 in the one case where a known queue of another project hands a key out twice: due
     * later, then due now; taken; and then the later time comes.
     */
    @Test
    void laterTimeOfAHeldKeyDoesNotHandItOutAgain() {
        queue.addAfter("a", Duration.ofMillis(300));
        queue.add("a");
        assertThat(queue.size()).isEqualTo(1);
        assertThat(queue.poll()).contains("a");

        clock.advance(Duration.ofMillis(300));

        assertThat(queue.poll()).isEmpty();
    }

    /** W2. */
    @Test
    void addWhileHeldIsDeliveredAfterDone() {
        queue.add("a");
        queue.poll();
        queue.add("a");

        queue.done("a");

        assertThat(takeAllReady()).containsExactly("a");
    }

    /** W2. */
    @Test
    void delayedAddWhileHeldIsDeliveredAtItsTime() {
        queue.add("a");
        queue.poll();
        queue.addAfter("a", Duration.ofSeconds(5));
        queue.done("a");
        assertThat(queue.poll()).isEmpty();

        clock.advance(Duration.ofSeconds(5));

        assertThat(queue.poll()).contains("a");
    }

    @Test
    void doneWithoutAnAddLeavesNothing() {
        queue.add("a");
        queue.poll();

        queue.done("a");

        assertThat(queue.poll()).isEmpty();
        assertThat(queue.size()).isZero();
    }

    @Test
    void doneOfAKeyThatIsNotHeldIsRejected() {
        assertThatThrownBy(() -> queue.done("a"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Key \"a\" is not held");
    }

    /** W3. */
    @Test
    void earlierTimeReplacesLaterOne() {
        queue.addAfter("a", Duration.ofSeconds(60));
        queue.addAfter("a", Duration.ofSeconds(5));
        assertThat(queue.size()).isEqualTo(1);

        clock.advance(Duration.ofSeconds(5));
        assertThat(takeAllReady()).containsExactly("a");
        queue.done("a");
        clock.advance(Duration.ofSeconds(60));

        assertThat(queue.poll()).isEmpty();
    }

    /** W3. */
    @Test
    void laterTimeDoesNotPutOffAnEarlierOne() {
        queue.addAfter("a", Duration.ofSeconds(5));
        queue.addAfter("a", Duration.ofSeconds(60));

        clock.advance(Duration.ofSeconds(5));

        assertThat(queue.poll()).contains("a");
    }

    @Test
    void delayedKeyIsNotReadyBeforeItsTime() {
        queue.addAfter("a", Duration.ofSeconds(5));
        clock.advance(Duration.ofMillis(4_999));

        assertThat(queue.poll()).isEmpty();
    }

    /** W4. */
    @Test
    void failuresAreCountedPerKeyAndForgottenOnSuccess() {
        assertThat(queue.retry("a")).isEqualTo(Duration.ofSeconds(1));
        assertThat(queue.retry("a")).isEqualTo(Duration.ofSeconds(2));
        assertThat(queue.retry("b")).isEqualTo(Duration.ofSeconds(1));

        queue.forget("a");

        assertThat(queue.retry("a")).isEqualTo(Duration.ofSeconds(1));
    }

    /** W4. */
    @Test
    void backoffIsCapped() {
        for (int i = 0; i < 100; i++) {
            assertThat(queue.retry("a")).isLessThanOrEqualTo(Duration.ofSeconds(8));
        }
        assertThat(queue.retry("a")).isEqualTo(Duration.ofSeconds(8));
    }

    @Test
    void changeDuringBackoffIsNotHeldUp() {
        queue.retry("a");

        queue.add("a");

        assertThat(takeAllReady()).containsExactly("a");
    }

    /** W5. */
    @Test
    void shutdownWakesEveryTaker() throws Exception {
        try (ExecutorService takers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Optional<String>>> waiting = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                waiting.add(takers.submit(queue::take));
            }
            queue.addAfter("later", Duration.ofHours(1));

            queue.shutDown();

            for (Future<Optional<String>> taker : waiting) {
                assertThat(taker.get(10, TimeUnit.SECONDS)).isEmpty();
            }
        }
    }

    @Test
    void nothingIsGivenOrKeptAfterShutdown() throws InterruptedException {
        queue.add("a");
        queue.shutDown();
        queue.add("b");

        assertThat(queue.take()).isEmpty();
        assertThat(queue.size()).isEqualTo(1);
    }

    /** W6. */
    @Test
    void addingNeverWaitsForAWorker() {
        for (int i = 0; i < 100_000; i++) {
            queue.add("key-" + i);
        }

        assertThat(queue.size()).isEqualTo(100_000);
    }

    /** W7. */
    @Test
    void firstListDoesNotStarveFreshChanges() {
        for (int i = 0; i < 1_000; i++) {
            queue.add("listed-" + i, Priority.BACKGROUND);
        }
        queue.add("fresh");
        queue.add("listed-700");

        assertThat(takeAllReady()).hasSize(1_001).startsWith("listed-700", "fresh");
    }

    @Test
    void waitingTakerGetsWhatIsAddedAndWhatComesDue() throws Exception {
        Workqueue<String> live = new Workqueue<>(BACKOFF, InstantSource.system(), new Random(1));
        List<String> taken = java.util.Collections.synchronizedList(new ArrayList<>());
        try (ExecutorService takers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 3; i++) {
                takers.submit(
                        () -> {
                            for (var k = live.take(); k.isPresent(); k = live.take()) {
                                taken.add(k.get());
                                live.done(k.get());
                            }
                            return null;
                        });
            }
            live.addAfter("slow", Duration.ofHours(1));
            live.addAfter("soon", Duration.ofMillis(20));
            live.add("now");

            await().untilAsserted(() -> assertThat(taken).containsExactlyInAnyOrder("now", "soon"));
            live.addAfter("slow", Duration.ofMillis(1));
            await().untilAsserted(() -> assertThat(taken).contains("slow"));
            live.shutDown();
        }
    }
}
