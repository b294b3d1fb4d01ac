package dev.orloj.server.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The events that wait for the database, up to a number. What does not fit is counted. Clients that
 * are refused have a budget, so that a flood of them displaces no events of others. Thread-safe.
 */
final class AuditQueue {

    /** How many refusals are recorded in a second. */
    static final int REFUSALS_PER_SECOND = 100;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** The events; empty ones end a wait. */
    private final LinkedTransferQueue<Optional<AuditEntry>> entries = new LinkedTransferQueue<>();

    private final Semaphore places;
    private final int capacity;
    private final LongSupplier nanoTime;
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong droppedEver = new AtomicLong();
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong secondOfRefusals;
    private final AtomicLong refusals = new AtomicLong();
    private volatile boolean writable = true;

    AuditQueue(int capacity, LongSupplier nanoTime) {
        this.capacity = capacity;
        this.places = new Semaphore(capacity);
        this.nanoTime = nanoTime;
        this.secondOfRefusals = new AtomicLong(nanoTime.getAsLong());
    }

    /** Takes a place for an event to come; false when there is none. */
    boolean reserve() {
        return places.tryAcquire();
    }

    /**
     * Adds an event, or counts it as dropped.
     *
     * @param reserved whether it has a place
     */
    void add(AuditEntry entry, boolean reserved) {
        boolean isTooMuch = entry.isRefusal() && !takeFromBudget();
        if (isTooMuch && reserved) {
            places.release();
        }
        if (isTooMuch || !reserved && !places.tryAcquire()) {
            dropped.incrementAndGet();
            droppedEver.incrementAndGet();
        } else {
            entries.add(Optional.of(entry));
        }
    }

    private boolean takeFromBudget() {
        long now = nanoTime.getAsLong();
        long begin = secondOfRefusals.get();
        if (now - begin >= SECOND && secondOfRefusals.compareAndSet(begin, now)) {
            refusals.set(0);
        }
        return refusals.incrementAndGet() <= REFUSALS_PER_SECOND;
    }

    /**
     * Takes the next events, after waiting for the first for some time; none after that, or if the
     * wait is {@linkplain #wake ended}.
     */
    void take(List<AuditEntry> batch, int most, long millis) throws InterruptedException {
        Optional<AuditEntry> first = entries.poll(millis, TimeUnit.MILLISECONDS);
        if (first != null) {
            first.ifPresent(batch::add);
            drain(batch, most);
        }
    }

    /** Ends the wait for events, or the next one. */
    void wake() {
        entries.add(Optional.empty());
    }

    /** Takes what is there, up to a number of events in all. */
    void drain(List<AuditEntry> batch, int most) {
        List<Optional<AuditEntry>> taken = new ArrayList<>();
        entries.drainTo(taken, most - batch.size());
        taken.forEach(entry -> entry.ifPresent(batch::add));
    }

    /** Makes room again for events that were taken. */
    void written(int number) {
        places.release(number);
        written.addAndGet(number);
    }

    /** Returns how many events were dropped since the last time that this was asked. */
    long takeDropped() {
        return dropped.getAndSet(0);
    }

    /** Counts events that were taken and will not be written. */
    void lost(int number) {
        places.release(number);
        droppedEver.addAndGet(number);
    }

    boolean isWritable() {
        return writable;
    }

    void writable(boolean isWritable) {
        writable = isWritable;
    }

    void refused() {
        refused.incrementAndGet();
    }

    /** Events that wait, or have a place. */
    int waiting() {
        return capacity - places.availablePermits();
    }

    long droppedEver() {
        return droppedEver.get();
    }

    long writtenEver() {
        return written.get();
    }

    long refusedEver() {
        return refused.get();
    }
}
