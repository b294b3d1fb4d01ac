package dev.orloj.controllers.workqueue;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.api.Backoff;

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
 * A work queue of keys. A key is in the queue at most once, and at most one worker holds it at a
 * time:
 *
 * <pre>
 *              add, retry                take                 done
 *   (absent) ------------> waiting ------------> held ---------------> (absent)
 *                                                  | add, retry
 *                                                  v        done
 *                                            held + waiting ------> waiting
 * </pre>
 *
 * A waiting key becomes ready at a set time. An earlier time replaces a later one, never the
 * reverse. Of the ready keys, fresh changes go before {@linkplain Priority#BACKGROUND background}
 * work, then the key that has waited longest goes first. Thread-safe; adding a key never waits for
 * a worker.
 */
public final class Workqueue<K> {

    /** The order in which ready keys are taken when there are fewer workers than keys. */
    public enum Priority {
        /** A change that has just happened. */
        FRESH,
        /**
         * Work that no client waits for: the initial list after a start, or a periodic reconcile.
         */
        BACKGROUND
    }

    /**
     * A key in the queue. Its position in the sorted sets depends on all fields but the key, so it
     * is replaced as a whole.
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

    /** Those of {@link #waiting} that are due and that no worker holds. */
    @GuardedBy("lock")
    private final TreeSet<Entry<K>> ready =
            new TreeSet<>(
                    Comparator.<Entry<K>, Priority>comparing(Entry::priority)
                            .thenComparingLong(Entry::sequence));

    /** Those of {@link #waiting} that are not due yet and that no worker holds. */
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

    /** Adds a key that has just changed. */
    public void add(K key) {
        add(key, Priority.FRESH);
    }

    public void add(K key, Priority priority) {
        put(key, Duration.ZERO, priority);
    }

    /** Adds a key after a delay, unless it becomes due earlier. */
    public void addAfter(K key, Duration delay) {
        put(key, delay, Priority.BACKGROUND);
    }

    /**
     * Adds a key whose work failed. It is due after a backoff that grows with every failure in a
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

    /** Resets the failures of a key whose work succeeded or will not be retried. */
    public void forget(K key) {
        lock.lock();
        try {
            failures.remove(key);
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

    /** Returns a key that is ready now and holds it until {@link #done}. Empty if there is none. */
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
     * Releases the key. If it was added in the meantime, it is delivered now.
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

    /** Wakes all takers, which get no key, and ignores all further adds. */
    public void shutDown() {
        lock.lock();
        try {
            shutDown = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the number of waiting keys: ready, delayed, or added again while a worker holds them.
     */
    public int size() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many times a key was added, whether it was waiting already or not. */
    public long adds() {
        return adds.sum();
    }

    /** Returns how many times work on a key failed. */
    public long retries() {
        return retries.sum();
    }

    /** Sets the receiver for the measurements of waits and work. */
    public void reportTo(WorkTimings reported) {
        timings = reported;
    }

    /** Returns the receiver to which the workers report how long they worked. */
    public WorkTimings timings() {
        return timings;
    }

    /** Returns how long the oldest ready key has waited for a worker. Zero if there is none. */
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

    /**
     * Returns an entry with the earlier time and the higher priority of both. It keeps its
     * position.
     */
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
        // One taker is enough: it takes the entry, or waits for its time instead of a later one.
        changed.signal();
    }

    @GuardedBy("lock")
    private void promote(Instant now) {
        while (!delayed.isEmpty() && !delayed.first().readyAt().isAfter(now)) {
            ready.add(delayed.pollFirst());
        }
    }
}
