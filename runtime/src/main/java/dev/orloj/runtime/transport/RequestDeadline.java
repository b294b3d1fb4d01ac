package dev.orloj.runtime.transport;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long a request may wait for its answer: in all, and, where that is bounded too, without a
 * sign that the server works on it. Begins when it is made; thread-safe.
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
     * The time that does not count.
     *
     * @param nanos of pauses that are over
     * @param open how many are not
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
     * @param silence the longest time without {@link #progressed}; zero for no such bound
     */
    public static RequestDeadline of(Duration total, Duration silence) {
        return of(total, silence, System::nanoTime);
    }

    static RequestDeadline of(Duration total, Duration silence, LongSupplier nanoTime) {
        return new RequestDeadline(total, silence, nanoTime);
    }

    /** The server has shown that it works on the request. */
    public void progressed() {
        lastSign = nanoTime.getAsLong();
    }

    /**
     * The time stands still, since the server waits for somebody else, until {@link #resume} was
     * called as often.
     */
    public synchronized void pause() {
        Pauses before = pauses;
        pauses =
                new Pauses(
                        before.nanos,
                        before.open + 1,
                        before.open == 0 ? nanoTime.getAsLong() : before.since);
    }

    /** It is the server's turn again. */
    public synchronized void resume() {
        Pauses before = pauses;
        long now = nanoTime.getAsLong();
        lastSign = now;
        pauses =
                before.open == 1
                        ? new Pauses(before.until(now), 0, 0)
                        : new Pauses(before.nanos, before.open - 1, before.since);
    }

    /** The time in all. */
    public Duration total() {
        return total;
    }

    /**
     * Until the earlier of both ends, which {@link #progressed} may move; not positive after it.
     */
    public long nanosLeft() {
        long left = totalLeft();
        return silence.isZero() || pauses.open > 0
                ? left
                : Math.min(left, leftOf(silence, lastSign));
    }

    /**
     * How long to wait before looking again. Time that stands still does not run out, so with
     * little of it left nobody has to look all the time. Nor for longer than silence may last,
     * which begins anew when the time goes on.
     */
    long nanosToWait() {
        long left = nanosLeft();
        if (left <= 0 || pauses.open == 0) {
            return left;
        }
        long atMost = silence.isZero() ? left : Math.min(left, silence.toNanos());
        return Math.max(atMost, PAUSED_WAIT.toNanos());
    }

    /** What to tell when there is nothing left. */
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
