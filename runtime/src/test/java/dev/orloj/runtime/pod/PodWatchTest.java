package dev.orloj.runtime.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.Backoff;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;

class PodWatchTest {

    /** The waits of seven failures in a row. */
    private static final Duration WAITS = Duration.ofMillis(1 + 2 + 4 + 8 + 16 + 32 + 64);

    private final FakeCluster cluster = new FakeCluster();
    private final PodDeleter deleter = new PodDeleter(cluster);
    private final PodWatch watch =
            new PodWatch(
                    cluster,
                    deleter,
                    PodManifest.selector("one"),
                    Backoff.of(Duration.ofMillis(1), Duration.ofHours(1)));

    @AfterEach
    void stop() {
        watch.close();
        deleter.close();
        cluster.close();
    }

    @Test
    void watchThatEndsAtOnceIsRepeatedAtARateThatFalls() {
        cluster.endsWatches = true;
        long began = System.nanoTime();

        watch.start();
        await().until(() -> cluster.lists() >= 8);

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(WAITS);
    }
}
