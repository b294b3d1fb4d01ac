package dev.orloj.server.audit;

import dev.orloj.api.ApiException;
import dev.orloj.server.store.audit.AuditTable;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Writes the events that wait, in batches, on a thread of its own. While the database cannot be
 * written it repeats the batch until it is. Also deletes old events.
 */
final class AuditWriter implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(AuditWriter.class);

    static final int MAX_BATCH = 5_000;

    /** How long the first event of a batch waits for others. */
    private static final long GATHERING_MILLIS = 100;

    private static final long RETRY_MILLIS = 500;
    private static final Duration SWEEP_PERIOD = Duration.ofMinutes(10);
    private static final int EVENTS_PER_SWEEP = 10_000;
    private static final Duration MAX_CLOSING = Duration.ofSeconds(5);

    private final AuditQueue queue;
    private final AuditTable table;
    private final AuditEvents events;
    private final Retention retention;
    private final InstantSource clock;
    private final CountDownLatch closing = new CountDownLatch(1);

    /** A platform thread, because a batch of thousands would keep the carrier of other requests. */
    private final Thread thread =
            Thread.ofPlatform().daemon().name("orloj-audit").unstarted(this::run);

    /** The end of the chain as this replica last saw it. */
    private long known;

    /** Events for the next batch. */
    private final List<String> aboutTheLog = new ArrayList<>();

    private Instant swept = Instant.MIN;
    private long sinceSweep;

    /** What is kept. */
    record Retention(Duration maxAge, long maxEvents, CheckpointKey key) {}

    AuditWriter(
            AuditQueue queue,
            AuditTable table,
            AuditEvents events,
            Retention retention,
            InstantSource clock) {
        this.queue = queue;
        this.table = table;
        this.events = events;
        this.retention = retention;
        this.clock = clock;
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            while (closing.getCount() > 0) {
                round(SWEEP_PERIOD.toMillis());
                sweepWhenDue();
            }
            round(0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void round(long wait) throws InterruptedException {
        List<AuditEntry> batch = new ArrayList<>();
        queue.take(batch, MAX_BATCH, wait);
        if (!batch.isEmpty() && batch.size() < MAX_BATCH) {
            closing.await(GATHERING_MILLIS, TimeUnit.MILLISECONDS);
            queue.drain(batch, MAX_BATCH);
        }
        while (!batch.isEmpty()) {
            write(batch);
            batch.clear();
            if (closing.getCount() == 0) {
                queue.drain(batch, MAX_BATCH);
            }
        }
    }

    /** A batch that cannot be written is written later; the events behind it wait. */
    private void write(List<AuditEntry> batch) throws InterruptedException {
        List<String> texts = new ArrayList<>(aboutTheLog);
        aboutTheLog.clear();
        CoalescedEntry.of(batch).forEach(entry -> texts.add(events.text(entry)));
        long dropped = 0;
        while (true) {
            dropped += queue.takeDropped();
            try {
                noteHead(table.append(withDropped(texts, dropped)));
                break;
            } catch (DataAccessException | TransactionException e) {
                fail(e);
                if (closing.await(RETRY_MILLIS, TimeUnit.MILLISECONDS)) {
                    giveUp(batch.size());
                    return;
                }
            }
        }
        if (!queue.isWritable()) {
            queue.writable(true);
            log.atInfo().log("The audit log is written again");
        }
        sinceSweep += batch.size();
        queue.written(batch.size());
    }

    /** The gap is a part of the chain, as soon as that can be written: one event, however long. */
    private List<String> withDropped(List<String> texts, long dropped) {
        if (dropped == 0) {
            return texts;
        }
        List<String> all = new ArrayList<>(texts);
        all.add(
                events.ofTheLog(
                        clock.instant(),
                        "drop",
                        "orloj.dev/dropped-events",
                        Long.toString(dropped)));
        return all;
    }

    private void noteHead(AuditTable.Added added) {
        long before = added.before().sequence();
        if (before < known) {
            log.atError()
                    .addKeyValue("expected", known)
                    .addKeyValue("found", before)
                    .log("The audit log is shorter than it was: an older state was restored");
            String gap = "from %d to %d".formatted(known, before);
            aboutTheLog.add(
                    events.ofTheLog(clock.instant(), "rollback", "orloj.dev/rollback", gap));
        }
        known = added.after().sequence();
    }

    private void fail(RuntimeException e) {
        if (queue.isWritable()) {
            queue.writable(false);
            log.atWarn()
                    .addKeyValue("error", e.getMessage())
                    .log("The audit log cannot be written; its events wait in memory");
        }
    }

    private void giveUp(int number) {
        queue.lost(number);
        log.atError()
                .addKeyValue("events", number)
                .log("Events of the audit log are lost, because orlojd stops without its database");
    }

    private void sweepWhenDue() {
        Instant now = clock.instant();
        if (sinceSweep < EVENTS_PER_SWEEP && now.isBefore(swept.plus(SWEEP_PERIOD))) {
            return;
        }
        swept = now;
        sinceSweep = 0;
        try {
            boolean more = true;
            while (more && closing.getCount() > 0) {
                more =
                        table.sweep(
                                now.minus(retention.maxAge()),
                                retention.maxEvents(),
                                last -> retention.key().sign(last.sequence(), last.hash(), now));
            }
        } catch (DataAccessException | TransactionException | ApiException e) {
            log.atWarn()
                    .addKeyValue("error", e.getMessage())
                    .log("Old events of the audit log could not be deleted");
        }
    }

    /** Returns when the events that wait are written, or cannot be. */
    @Override
    public void close() throws InterruptedException {
        closing.countDown();
        queue.wake();
        if (!thread.join(MAX_CLOSING)) {
            thread.interrupt();
            thread.join();
        }
    }
}
