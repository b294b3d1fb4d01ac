package dev.orloj.controllers.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.Backoff;
import dev.orloj.api.testing.ManualClock;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Random walks: one against a model that is obviously right, one with many threads. */
class WorkqueueRandomTest {

    private static final Backoff BACKOFF =
            new Backoff(Duration.ofMillis(1), Duration.ofMillis(10), 0.5);

    @Test
    void agreesWithAModelOnTenThousandRandomSteps() {
        long seed = new Random().nextLong();
        System.out.println("WorkqueueRandomTest model seed " + seed);
        Random random = new Random(seed);
        ManualClock clock = new ManualClock();
        Workqueue<Integer> queue = new Workqueue<>(BACKOFF, clock, random);
        Map<Integer, Instant> due = new HashMap<>();
        Set<Integer> held = new HashSet<>();

        for (int step = 0; step < 10_000; step++) {
            int key = random.nextInt(8);
            switch (random.nextInt(5)) {
                case 0 -> {
                    queue.add(key);
                    due.merge(key, clock.instant(), WorkqueueRandomTest::earlier);
                }
                case 1 -> {
                    Duration delay = Duration.ofMillis(random.nextInt(50));
                    queue.addAfter(key, delay);
                    due.merge(key, clock.instant().plus(delay), WorkqueueRandomTest::earlier);
                }
                case 2 -> clock.advance(Duration.ofMillis(random.nextInt(20)));
                case 3 -> {
                    Set<Integer> ready = new HashSet<>();
                    due.forEach(
                            (k, at) -> {
                                if (!at.isAfter(clock.instant()) && !held.contains(k)) {
                                    ready.add(k);
                                }
                            });
                    Optional<Integer> taken = queue.poll();
                    if (ready.isEmpty()) {
                        assertThat(taken).as("seed %d step %d", seed, step).isEmpty();
                    } else {
                        assertThat(taken).as("seed %d step %d", seed, step).isPresent();
                        assertThat(ready).contains(taken.orElseThrow());
                        due.remove(taken.get());
                        held.add(taken.get());
                    }
                }
                default -> {
                    if (held.remove(key)) {
                        queue.done(key);
                    }
                }
            }
            assertThat(queue.size()).as("seed %d step %d", seed, step).isEqualTo(due.size());
        }
    }

    /** Every change is worked on after it was made, and never by two workers at once. */
    @Test
    void nothingIsLostOrHandedOutTwiceAmongManyThreads() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("WorkqueueRandomTest threads seed " + seed);
        Workqueue<Integer> queue =
                new Workqueue<>(BACKOFF, InstantSource.system(), new Random(seed));
        int keys = 16;
        AtomicIntegerArray made = new AtomicIntegerArray(keys);
        AtomicIntegerArray seen = new AtomicIntegerArray(keys);
        Set<Integer> working = ConcurrentHashMap.newKeySet();
        AtomicInteger twice = new AtomicInteger();

        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int w = 0; w < 8; w++) {
                threads.submit(
                        () -> {
                            for (var k = queue.take(); k.isPresent(); k = queue.take()) {
                                int key = k.get();
                                if (!working.add(key)) {
                                    twice.incrementAndGet();
                                }
                                seen.set(key, made.get(key));
                                Thread.yield();
                                working.remove(key);
                                queue.done(key);
                            }
                            return null;
                        });
            }
            Future<?>[] makers = new Future<?>[4];
            for (int m = 0; m < makers.length; m++) {
                Random random = new Random(seed + m);
                makers[m] =
                        threads.submit(
                                () -> {
                                    for (int i = 0; i < 5_000; i++) {
                                        int key = random.nextInt(keys);
                                        made.incrementAndGet(key);
                                        switch (random.nextInt(3)) {
                                            case 0 -> queue.addAfter(key, Duration.ofMillis(1));
                                            case 1 -> queue.retry(key);
                                            default -> queue.add(key);
                                        }
                                    }
                                });
            }
            for (Future<?> maker : makers) {
                maker.get();
            }
            org.awaitility.Awaitility.await()
                    .untilAsserted(
                            () -> {
                                for (int key = 0; key < keys; key++) {
                                    assertThat(seen.get(key))
                                            .as("key %d, seed %d", key, seed)
                                            .isEqualTo(made.get(key));
                                }
                            });
            queue.shutDown();
        }
        assertThat(twice).hasValue(0);
    }

    private static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }
}
