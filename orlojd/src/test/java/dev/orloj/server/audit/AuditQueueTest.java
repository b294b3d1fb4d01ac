package dev.orloj.server.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The events that wait for the database. */
class AuditQueueTest {

    private final AuditQueue queue = new AuditQueue(10, System::nanoTime);

    /** An idle writer waits for minutes, and orlojd stopped only after five seconds. */
    @Test
    @Timeout(60)
    void waitForEventsEndsWhenItIsWoken() throws InterruptedException {
        List<AuditEntry> batch = new ArrayList<>();
        Thread taker =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        queue.take(batch, 5, Duration.ofHours(1).toMillis());
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                });
        await().until(() -> taker.getState() == Thread.State.TIMED_WAITING);

        queue.wake();
        taker.join();

        assertThat(batch).isEmpty();
        assertThat(queue.waiting()).isZero();
    }
}
