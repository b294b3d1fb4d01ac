package dev.orloj.server.store.ledger;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Two writes on two threads. The first pauses before one of its statements until the second has
 * ended, or waits for a lock of the first.
 */
final class Interleaving {

    private final LedgerRig rig;
    private final FailingDataSource failing;

    /**
     * @param failing the data source of the first write
     */
    Interleaving(LedgerRig rig, FailingDataSource failing) {
        this.rig = rig;
        this.failing = failing;
    }

    /**
     * Returns after both writes.
     *
     * @param statement of the first write, counted from 1
     * @param stops whether the first write fails after the pause
     */
    void run(int statement, boolean stops, Runnable first, Runnable second)
            throws InterruptedException, ExecutionException {
        CountDownLatch paused = new CountDownLatch(1);
        CountDownLatch resumed = new CountDownLatch(1);
        failing.at(
                statement,
                () -> {
                    paused.countDown();
                    awaitUninterruptibly(resumed);
                    if (stops) {
                        FailingDataSource.fail();
                    }
                });
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> early =
                    threads.submit(
                            () -> {
                                try {
                                    first.run();
                                } finally {
                                    paused.countDown();
                                }
                            });
            paused.await();
            Future<?> late = threads.submit(second);
            try {
                await().pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(2))
                        .until(() -> late.isDone() || waitsForLock());
            } finally {
                resumed.countDown();
            }
            late.get();
            early.get();
        } finally {
            failing.never();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean waitsForLock() {
        return rig.database
                        .jdbc()
                        .sql(
                                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type ="
                                        + " 'Lock' AND datname = current_database()")
                        .query(Integer.class)
                        .single()
                > 0;
    }
}
