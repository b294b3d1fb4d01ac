package dev.orloj.runtime.workload;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps the last lines that a server logged, across restarts of its process: the lines of the
 * current run and of the previous run. Thread-safe; readers never block the writer.
 */
public final class LogBuffer {

    /** Maximum number of lines per run; older ones are dropped. */
    public static final int CAPACITY = 1_000;

    private static final int SHORTEST = 16;

    /** One line. {@code number} increases over the life of the buffer. */
    public record Line(long number, Instant time, String text) {}

    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition appended = lock.newCondition();

    /**
     * Line n of the current run is at index n modulo the length, which grows up to the capacity:
     * most servers log little.
     */
    @GuardedBy("lock")
    private @Nullable Line[] ring = new Line[0];

    @GuardedBy("lock")
    private List<Line> previous = List.of();

    @GuardedBy("lock")
    private long runStart = 0;

    @GuardedBy("lock")
    private long nextNumber = 0;

    private volatile SecretValues secrets = SecretValues.NONE;

    public LogBuffer(InstantSource clock) {
        this.clock = clock;
    }

    /** Replaces the values that later lines must not have. */
    public void hide(SecretValues values) {
        secrets = values;
    }

    /** Appends a line without the values that are {@link #hide hidden}. */
    public void append(String line) {
        String text = secrets.hide(line);
        Instant now = clock.instant();
        lock.lock();
        try {
            if (ring.length < CAPACITY && nextNumber - runStart == ring.length) {
                grow();
            }
            ring[(int) (nextNumber % ring.length)] = new Line(nextNumber, now, text);
            nextNumber++;
            appended.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void grow() {
        @Nullable Line[] longer = new Line[Math.clamp(2L * ring.length, SHORTEST, CAPACITY)];
        for (long number = runStart; number < nextNumber; number++) {
            longer[(int) (number % longer.length)] = line(number);
        }
        ring = longer;
    }

    /** Starts a new run of the process: the current lines become {@link #previous}. */
    public void startRun() {
        lock.lock();
        try {
            previous = currentFrom(oldest());
            runStart = nextNumber;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the last {@code n} lines of the current run, oldest first. */
    public List<Line> tail(int n) {
        lock.lock();
        try {
            return currentFrom(Math.max(oldest(), nextNumber - n));
        } finally {
            lock.unlock();
        }
    }

    /** Returns the lines of the previous run, oldest first. */
    public List<Line> previous() {
        lock.lock();
        try {
            return previous;
        } finally {
            lock.unlock();
        }
    }

    /** Follows the log from the last {@code n} lines of the current run on, across later runs. */
    public Follower follow(int n) {
        lock.lock();
        try {
            return new Follower(Math.max(oldest(), nextNumber - n));
        } finally {
            lock.unlock();
        }
    }

    /**
     * A position in the log, for one thread. It holds no lines, so an unused follower needs no
     * cleanup. A follower that falls behind by more than the buffer's capacity skips the dropped
     * lines.
     */
    public final class Follower {

        private long next;

        private Follower(long next) {
            this.next = next;
        }

        /** Returns the next line, waiting up to {@code timeout}; empty when there was none. */
        public Optional<Line> next(Duration timeout) throws InterruptedException {
            long nanos = timeout.toNanos();
            lock.lockInterruptibly();
            try {
                while (firstKept(next) >= nextNumber) {
                    if (nanos <= 0) {
                        return Optional.empty();
                    }
                    nanos = appended.awaitNanos(nanos);
                }
                Line line = kept(firstKept(next));
                next = line.number() + 1;
                return Optional.of(line);
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Returns the lowest number from {@code number} on whose line is still available, or the number
     * of the next line.
     */
    @GuardedBy("lock")
    private long firstKept(long number) {
        long first = previous.isEmpty() ? oldest() : previous.getFirst().number();
        return number < runStart ? Math.max(number, first) : Math.max(number, oldest());
    }

    @GuardedBy("lock")
    private Line kept(long number) {
        return number < runStart
                ? previous.get((int) (number - previous.getFirst().number()))
                : line(number);
    }

    @GuardedBy("lock")
    private List<Line> currentFrom(long first) {
        List<Line> lines = new ArrayList<>((int) (nextNumber - first));
        for (long number = first; number < nextNumber; number++) {
            lines.add(line(number));
        }
        return List.copyOf(lines);
    }

    @GuardedBy("lock")
    private long oldest() {
        return Math.max(runStart, nextNumber - CAPACITY);
    }

    @GuardedBy("lock")
    private Line line(long number) {
        return Objects.requireNonNull(ring[(int) (number % ring.length)], "line was never written");
    }
}
