package dev.orloj.runtime.transport;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The deadline of a request: in total, and optionally without progress. Begins when it is created;
 * thread-safe.
 */
public final class RequestDeadline {

    private static final Duration PAUSED_WAIT = Duration.ofMillis(100);

    private final Duration total;
    private final Duration silence;
    private final LongSupplier nanoTime;
    private final long began;
    private volatile long lastSign;
    private volatile Pauses pauses = Pauses.NONE;

    /**
     * The paused time.
     *
     * @param nanos of finished pauses
     * @param open the number of open pauses
     * @param since when the first of those began
     */
    private record Pauses(long nanos, int open, long since) {

        static final Pauses NONE = new Pauses(0, 0, 0);

        long until(long now) {
            return open == 0 ? nanos : nanos + now - since;
        }
    }

    private RequestDeadline(Duration total, Duration silence, LongSupplier nanoTime) {
        this.total = total;
        this.silence = silence;
        this.nanoTime = nanoTime;
        this.began = nanoTime.getAsLong();
        this.lastSign = began;
    }

    public static RequestDeadline after(Duration total) {
        return new RequestDeadline(total, Duration.ZERO, System::nanoTime);
    }

    /**
     * @param silence the longest time without {@link #progressed}; zero for no limit
     */
    public static RequestDeadline of(Duration total, Duration silence) {
        return of(total, silence, System::nanoTime);
    }

    static RequestDeadline of(Duration total, Duration silence, LongSupplier nanoTime) {
        return new RequestDeadline(total, silence, nanoTime);
    }

    /** The server reported progress. */
    public void progressed() {
        lastSign = nanoTime.getAsLong();
    }

    /** Pauses the deadline until {@link #resume} was called as often. */
    public synchronized void pause() {
        Pauses before = pauses;
        pauses =
                new Pauses(
                        before.nanos,
                        before.open + 1,
                        before.open == 0 ? nanoTime.getAsLong() : before.since);
    }

    /** Ends one pause. */
    public synchronized void resume() {
        Pauses before = pauses;
        long now = nanoTime.getAsLong();
        lastSign = now;
        pauses =
                before.open == 1
                        ? new Pauses(before.until(now), 0, 0)
                        : new Pauses(before.nanos, before.open - 1, before.since);
    }

    /** The time to the earlier of both limits; not positive after it. */
    public long nanosLeft() {
        long left = totalLeft();
        return silence.isZero() || pauses.open > 0
                ? left
                : Math.min(left, leftOf(silence, lastSign));
    }

    /**
     * How long to wait before checking again, never longer than the silence limit. A paused
     * deadline does not expire, so it needs no frequent checks.
     */
    long nanosToWait() {
        long left = nanosLeft();
        if (left <= 0 || pauses.open == 0) {
            return left;
        }
        long atMost = silence.isZero() ? left : Math.min(left, silence.toNanos());
        return Math.max(atMost, PAUSED_WAIT.toNanos());
    }

    /** The exception for an expired deadline. */
    public RequestTimeoutException exceeded(String method) {
        boolean silent = !silence.isZero() && totalLeft() > 0;
        return new RequestTimeoutException(method, silent ? silence : total, silent);
    }

    private long totalLeft() {
        Pauses seen = pauses;
        return leftOf(total, began) + seen.until(nanoTime.getAsLong());
    }

    private long leftOf(Duration bound, long since) {
        return bound.toNanos() - (nanoTime.getAsLong() - since);
    }
}
