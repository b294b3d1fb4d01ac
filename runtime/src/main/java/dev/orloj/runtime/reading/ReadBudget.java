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
 * Limits the memory of messages from all servers: while they are read, and separately as responses
 * until their clients have them. Small messages are free, so that a server with large messages does
 * not block others. Thread-safe.
 *
 * <p>When messages being read exceed the budget, the connection that uses the most memory is ended,
 * and readers of other connections wait until its memory is released. A response for which no
 * memory is left is dropped.
 */
public final class ReadBudget {

    /** Memory that each connection and each response may use without being counted. */
    static final long FREE_BYTES = 256 * 1024;

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
    private static final long SHARE_OF_HEAP = 4;

    private final long mostRead;
    private final long mostHeld;
    private final AtomicLong held = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();

    /** Readings that use more than {@link #FREE_BYTES}. */
    @GuardedBy("lock")
    private final Set<Reading> large = new HashSet<>();

    @GuardedBy("lock")
    private long read = 0;

    /**
     * @param mostRead maximum number of bytes of messages being read
     * @param mostHeld maximum number of bytes of responses that clients do not have yet
     */
    public ReadBudget(long mostRead, long mostHeld) {
        if (mostRead < 1 || mostHeld < 1) {
            throw new IllegalArgumentException(
                    "A budget must be positive: " + mostRead + ", " + mostHeld);
        }
        this.mostRead = mostRead;
        this.mostHeld = mostHeld;
    }

    /** Returns a budget with a quarter of the heap for each of the two. */
    public static ReadBudget ofHeap(long bytes) {
        return new ReadBudget(
                Math.max(1, bytes / SHARE_OF_HEAP), Math.max(1, bytes / SHARE_OF_HEAP));
    }

    /**
     * Starts to account for one connection.
     *
     * @param end ends that connection without waiting; called on any thread
     */
    public Reading open(Runnable end) {
        return new Reading(this, end);
    }

    /** Reserves memory for a response until the client has it; returns empty when none is left. */
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

    /**
     * Returns the number of bytes of responses that clients do not have yet, without {@link
     * #FREE_BYTES} of each.
     */
    public long held() {
        return held.get();
    }

    /** Returns the maximum of {@link #held}. */
    public long mostHeld() {
        return mostHeld;
    }

    /**
     * Returns the number of bytes of messages being read, without {@link #FREE_BYTES} of each
     * connection.
     */
    public long read() {
        lock.lock();
        try {
            return read;
        } finally {
            lock.unlock();
        }
    }

    /** Charges a reading, once there is memory. */
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

    /** Releases memory of a reading. */
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

    /**
     * Returns the largest reading, which may be the requesting one; null while readings that are
     * being ended release enough memory.
     */
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

    /** Waits for a release and returns the remaining nanoseconds. */
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
