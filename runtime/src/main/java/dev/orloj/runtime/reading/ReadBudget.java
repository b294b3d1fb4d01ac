package dev.orloj.runtime.reading;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The memory that messages of all servers may take together: while they are read, and, apart from
 * that, as answers until their clients have them. Small messages are free, so that a server which
 * sends large ones holds up no other. Thread-safe.
 *
 * <p>When what is being read takes too much, the connection that takes the most is ended, and
 * readers of others wait until its memory is free. An answer that finds no room is dropped.
 */
public final class ReadBudget {

    /** What each connection, and each answer, takes without being counted. */
    static final long FREE_BYTES = 256 * 1024;

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
    private static final long SHARE_OF_HEAP = 4;

    private final long mostRead;
    private final long mostHeld;
    private final AtomicLong held = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();

    /** Those that take more than is free. */
    @GuardedBy("lock")
    private final Set<Reading> large = new HashSet<>();

    @GuardedBy("lock")
    private long read = 0;

    /**
     * @param mostRead bytes of messages being read
     * @param mostHeld bytes of answers that their clients do not have yet
     */
    public ReadBudget(long mostRead, long mostHeld) {
        if (mostRead < 1 || mostHeld < 1) {
            throw new IllegalArgumentException(
                    "A budget must be positive: " + mostRead + ", " + mostHeld);
        }
        this.mostRead = mostRead;
        this.mostHeld = mostHeld;
    }

    /** A quarter of the heap for each of the two. */
    public static ReadBudget ofHeap(long bytes) {
        return new ReadBudget(
                Math.max(1, bytes / SHARE_OF_HEAP), Math.max(1, bytes / SHARE_OF_HEAP));
    }

    /**
     * Begins to count what one connection reads.
     *
     * @param end ends that connection, from any thread, without waiting
     */
    public Reading open(Runnable end) {
        return new Reading(this, end);
    }

    /** Room for an answer until its client has it; empty when there is none. */
    public Optional<HeldAnswer> hold(MessageSize size) {
        long bytes = size.memoryOfAnswer() - FREE_BYTES;
        if (bytes <= 0) {
            return Optional.of(HeldAnswer.FREE);
        }
        if (held.addAndGet(bytes) > mostHeld) {
            held.addAndGet(-bytes);
            return Optional.empty();
        }
        return Optional.of(new HeldAnswer(() -> held.addAndGet(-bytes)));
    }

    /** Bytes of answers that their clients do not have yet, without what is free. */
    public long held() {
        return held.get();
    }

    /** The most that {@link #held} may be. */
    public long mostHeld() {
        return mostHeld;
    }

    /** Bytes of messages being read, without what is free. */
    public long read() {
        lock.lock();
        try {
            return read;
        } finally {
            lock.unlock();
        }
    }

    /** Counts more for one, once there is room. */
    void charge(Reading reading, long bytes) throws ReadBudgetException {
        long nanosLeft = LONGEST_WAIT.toNanos();
        while (true) {
            Reading victim;
            lock.lock();
            try {
                if (reading.isRevoked()) {
                    throw reading.revocation();
                }
                long more = counted(reading.bytes() + bytes) - counted(reading.bytes());
                if (read + more <= mostRead || more == 0) {
                    change(reading, bytes);
                    return;
                }
                victim = victim(reading, more);
                if (victim == null) {
                    nanosLeft = awaitRelease(nanosLeft);
                }
                if (victim == reading || nanosLeft <= 0) {
                    reading.revoke(mostRead);
                    throw reading.revocation();
                }
                if (victim != null) {
                    victim.revoke(mostRead);
                    released.signalAll();
                }
            } finally {
                lock.unlock();
            }
            if (victim != null) {
                victim.end();
            }
        }
    }

    /** Counts less for one. */
    void refund(Reading reading, long bytes) {
        lock.lock();
        try {
            change(reading, -Math.min(bytes, reading.bytes()));
            released.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void change(Reading reading, long bytes) {
        read -= counted(reading.bytes());
        reading.change(bytes);
        read += counted(reading.bytes());
        if (counted(reading.bytes()) > 0) {
            large.add(reading);
        } else {
            large.remove(reading);
        }
    }

    private static long counted(long bytes) {
        return Math.max(0, bytes - FREE_BYTES);
    }

    /** The largest, the one that asks included; null while those that end already make room. */
    @GuardedBy("lock")
    private @Nullable Reading victim(Reading asking, long more) {
        long ending =
                large.stream()
                        .filter(Reading::isRevoked)
                        .mapToLong(each -> counted(each.bytes()))
                        .sum();
        if (read - ending + more <= mostRead) {
            return null;
        }
        Reading largest =
                large.stream()
                        .filter(each -> !each.isRevoked() && each != asking)
                        .max(Comparator.comparingLong(Reading::bytes))
                        .orElse(asking);
        return largest.bytes() > asking.bytes() + more ? largest : asking;
    }

    /** How many nanoseconds of the wait are left. */
    @GuardedBy("lock")
    private long awaitRelease(long nanos) {
        try {
            return released.awaitNanos(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }
}
