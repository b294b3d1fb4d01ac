package dev.orloj.controllers.workqueue;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/**
 * Keys that wait to be worked on. A key is in the queue at most once and with one worker at a time:
 *
 * <pre>
 *              add, retry                take                 done
 *   (absent) ------------> waiting ------------> held ---------------> (absent)
 *                                                  | add, retry
 *                                                  v        done
 *                                            held + waiting ------> waiting
 * </pre>
 *
 * A waiting key becomes ready at a time; an earlier time replaces a later one, never the reverse.
 * Of the ready ones, fresh changes go before {@linkplain Priority#BACKGROUND background} work, then
 * the one that has been waiting longest goes first. Safe for many threads; adding never waits for a
 * worker.
 */
public final class Workqueue<K> {

    /** What goes first when more is ready than workers are free. */
    public enum Priority {
        /** Something just happened. */
        FRESH,
        /** Nobody is waiting for it: the first list after a start, a periodic look. */
        BACKGROUND
    }

    /**
     * A key in the queue. Its place in the sorted sets depends on all but the key: replaced as a
     * whole.
     */
    private record Entry<K>(K key, Instant readyAt, Priority priority, long sequence) {}

    private final Backoff backoff;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final Map<K, Entry<K>> waiting = new HashMap<>();

    @GuardedBy("lock")
    private final Set<K> held = new HashSet<>();

    /** Those of {@link #waiting} whose time has come and that no worker holds. */
    @GuardedBy("lock")
    private final TreeSet<Entry<K>> ready =
            new TreeSet<>(
                    Comparator.<Entry<K>, Priority>comparing(Entry::priority)
                            .thenComparingLong(Entry::sequence));

    /** Those of {@link #waiting} whose time is to come and that no worker holds. */
    @GuardedBy("lock")
    private final TreeSet<Entry<K>> delayed =
            new TreeSet<>(
                    Comparator.<Entry<K>, Instant>comparing(Entry::readyAt)
                            .thenComparingLong(Entry::sequence));

    @GuardedBy("lock")
    private final Map<K, Integer> failures = new HashMap<>();

    @GuardedBy("lock")
    private long nextSequence;

    @GuardedBy("lock")
    private boolean shutDown;

    private final LongAdder adds = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private volatile WorkTimings timings = WorkTimings.NONE;

    public Workqueue(Backoff backoff, InstantSource clock, RandomGenerator random) {
        this.backoff = backoff;
        this.clock = clock;
        this.random = random;
    }

    /** Something happened to the key just now. */
    public void add(K key) {
        add(key, Priority.FRESH);
    }

    public void add(K key, Priority priority) {
        put(key, Duration.ZERO, priority);
    }

    /** The key is to be looked at again after a while, unless something happens to it before. */
    public void addAfter(K key, Duration delay) {
        put(key, delay, Priority.BACKGROUND);
    }

    /**
     * Work on the key failed: it is due again after a backoff that grows with every failure in a
     * row.
     *
     * @return the wait
     */
    public Duration retry(K key) {
        retries.increment();
        lock.lock();
        try {
            Duration delay = backoff.delay(failures.merge(key, 1, Integer::sum), random);
            put(key, delay, Priority.BACKGROUND);
            return delay;
        } finally {
            lock.unlock();
        }
    }

    /** Work on the key succeeded, or will not be tried again: its failures no longer count. */
    public void forget(K key) {
        lock.lock();
        try {
            failures.remove(key);
        } finally {
            lock.unlock();
        }
    }

    /** Failures of the key in a row. */
    public int failures(K key) {
        lock.lock();
        try {
            return failures.getOrDefault(key, 0);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for a key and holds it until {@link #done}.
     *
     * @return empty when the queue is shut down
     */
    public Optional<K> take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!shutDown) {
                Optional<K> next = poll();
                if (next.isPresent()) {
                    return next;
                }
                if (delayed.isEmpty()) {
                    changed.await();
                } else {
                    Duration wait = Duration.between(clock.instant(), delayed.first().readyAt());
                    changed.awaitNanos(wait.toNanos());
                }
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** A key that is ready now, held until {@link #done}; empty when there is none. */
    public Optional<K> poll() {
        lock.lock();
        try {
            promote(clock.instant());
            Entry<K> next = shutDown ? null : ready.pollFirst();
            if (next == null) {
                return Optional.empty();
            }
            waiting.remove(next.key());
            held.add(next.key());
            timings.waited(Duration.between(next.readyAt(), clock.instant()));
            return Optional.of(next.key());
        } finally {
            lock.unlock();
        }
    }

    /**
     * The worker lets go of the key. What was added meanwhile is delivered now.
     *
     * @throws IllegalStateException when no worker holds the key
     */
    public void done(K key) {
        lock.lock();
        try {
            if (!held.remove(key)) {
                throw new IllegalStateException("Key \"%s\" is not held".formatted(key));
            }
            Entry<K> again = waiting.get(key);
            if (again != null) {
                enqueue(again);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Wakes all takers with nothing and lets nothing more in. */
    public void shutDown() {
        lock.lock();
        try {
            shutDown = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Keys that wait, whether ready, delayed or with a worker once more. */
    public int size() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /** How often a key was added so far, whether it was waiting already or not. */
    public long adds() {
        return adds.sum();
    }

    /** How often work on a key failed so far. */
    public long retries() {
        return retries.sum();
    }

    /** From now on, waits and work are reported there. */
    public void reportTo(WorkTimings reported) {
        timings = reported;
    }

    /** Where its users report how long they worked. */
    public WorkTimings timings() {
        return timings;
    }

    /** How long the key that is due longest has been waiting for a worker; zero without one. */
    public Duration oldestAge() {
        lock.lock();
        try {
            Instant now = clock.instant();
            promote(now);
            return ready.stream()
                    .map(Entry::readyAt)
                    .min(Comparator.naturalOrder())
                    .map(since -> Duration.between(since, now))
                    .orElse(Duration.ZERO);
        } finally {
            lock.unlock();
        }
    }

    private void put(K key, Duration delay, Priority priority) {
        adds.increment();
        lock.lock();
        try {
            if (shutDown) {
                return;
            }
            Entry<K> before = waiting.get(key);
            Instant readyAt = clock.instant().plus(delay);
            Entry<K> next = new Entry<>(key, readyAt, priority, nextSequence++);
            if (before != null) {
                next = sooner(before, next);
                ready.remove(before);
                delayed.remove(before);
            }
            waiting.put(key, next);
            if (!held.contains(key)) {
                enqueue(next);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The earlier time and the higher priority of both; the place in the line stays. */
    private Entry<K> sooner(Entry<K> before, Entry<K> next) {
        Instant readyAt =
                before.readyAt().isBefore(next.readyAt()) ? before.readyAt() : next.readyAt();
        Priority priority =
                before.priority().compareTo(next.priority()) < 0
                        ? before.priority()
                        : next.priority();
        return new Entry<>(before.key(), readyAt, priority, before.sequence());
    }

    @GuardedBy("lock")
    private void enqueue(Entry<K> entry) {
        delayed.add(entry);
        // One taker is enough: it takes the entry, or waits for its time in place of a later one.
        changed.signal();
    }

    @GuardedBy("lock")
    private void promote(Instant now) {
        while (!delayed.isEmpty() && !delayed.first().readyAt().isAfter(now)) {
            ready.add(delayed.pollFirst());
        }
    }
}
