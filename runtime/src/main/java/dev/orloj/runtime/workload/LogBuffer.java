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
 * The last lines that a server logged, across restarts of its process: the lines of the run that is
 * going on, and those of the run before. Thread-safe; readers never hold up the writer.
 */
public final class LogBuffer {

    /** Lines kept of each run; older ones are dropped. */
    public static final int CAPACITY = 1_000;

    /** One line. {@code number} counts up over the life of the buffer. */
    public record Line(long number, Instant time, String text) {}

    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition appended = lock.newCondition();

    /** Line n of the current run is at n modulo the capacity. */
    @GuardedBy("lock")
    private final @Nullable Line[] ring = new Line[CAPACITY];

    @GuardedBy("lock")
    private List<Line> previous = List.of();

    @GuardedBy("lock")
    private long runStart = 0;

    @GuardedBy("lock")
    private long nextNumber = 0;

    public LogBuffer(InstantSource clock) {
        this.clock = clock;
    }

    public void append(String text) {
        Instant now = clock.instant();
        lock.lock();
        try {
            ring[(int) (nextNumber % CAPACITY)] = new Line(nextNumber, now, text);
            nextNumber++;
            appended.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Begins a new run of the process: what was logged so far becomes {@link #previous}. */
    public void startRun() {
        lock.lock();
        try {
            previous = currentFrom(oldest());
            runStart = nextNumber;
        } finally {
            lock.unlock();
        }
    }

    /** The last {@code n} lines of the current run, oldest first. */
    public List<Line> tail(int n) {
        lock.lock();
        try {
            return currentFrom(Math.max(oldest(), nextNumber - n));
        } finally {
            lock.unlock();
        }
    }

    /** The lines of the run before the current one, oldest first. */
    public List<Line> previous() {
        lock.lock();
        try {
            return previous;
        } finally {
            lock.unlock();
        }
    }

    /** Reads on from the last {@code n} lines of the current run, into later runs. */
    public Follower follow(int n) {
        lock.lock();
        try {
            return new Follower(Math.max(oldest(), nextNumber - n));
        } finally {
            lock.unlock();
        }
    }

    /**
     * A position in the log, for one thread. It keeps no lines of its own, so one that is forgotten
     * costs nothing; one that falls behind by more than the buffer holds skips what was dropped.
     */
    public final class Follower {

        private long next;

        private Follower(long next) {
            this.next = next;
        }

        /** The next line, waiting for one up to {@code timeout}; empty when there was none. */
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
     * The lowest number from {@code number} on whose line is still there, or the next to be
     * written.
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
        return Objects.requireNonNull(ring[(int) (number % CAPACITY)], "line was never written");
    }
}
