package dev.orloj.runtime.session.lifecycle;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.api.GoDuration;
import dev.orloj.runtime.client.SessionPolicy;
import dev.orloj.runtime.clock.Scheduler;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Counts the calls of a session and reports when it has to be renewed because of its age or its
 * number of calls. Reports again after a renewal that failed. Thread-safe.
 */
public final class RenewalTimer {

    private static final Duration NEXT_TRY = Duration.ofMinutes(1);

    /**
     * Expires up to a tenth earlier, so that servers that started together are not replaced
     * together.
     */
    private static final double JITTER = 0.1;

    private final Scheduler clock;
    private final RandomGenerator random;
    private final Consumer<String> whenExpired;
    private final AtomicLong calls = new AtomicLong();

    /** Whether the end of all allowed calls was reported. */
    private final AtomicBoolean workedOut = new AtomicBoolean();

    private volatile SessionPolicy policy;

    private volatile String reason = "";

    @GuardedBy("this")
    private Scheduler.@Nullable Task timer;

    /** Null until the session is open. */
    @GuardedBy("this")
    private @Nullable Instant startedAt;

    @GuardedBy("this")
    private boolean stopped = false;

    /**
     * @param whenExpired receives the reason; must return at once
     */
    public RenewalTimer(
            SessionPolicy policy,
            Scheduler clock,
            RandomGenerator random,
            Consumer<String> whenExpired) {
        this.policy = policy;
        this.clock = clock;
        this.random = random;
        this.whenExpired = whenExpired;
    }

    public synchronized void start() {
        Instant now = clock.instant();
        startedAt = now;
        limitLifetime(now);
    }

    /** Replaces the limits. They also apply to the age and the calls so far. */
    public synchronized void follow(SessionPolicy changed) {
        SessionPolicy before = policy;
        policy = changed;
        if (changed.maxCalls() != before.maxCalls()) {
            workedOut.set(false);
        }
        if (!changed.maxLifetime().equals(before.maxLifetime()) && startedAt != null) {
            if (timer != null) {
                timer.cancel();
            }
            limitLifetime(startedAt);
        }
    }

    @GuardedBy("this")
    private void limitLifetime(Instant began) {
        Duration most = policy.maxLifetime();
        if (most.isPositive()) {
            long nanos = most.toNanos();
            Instant end = began.plusNanos(nanos - (long) (nanos * JITTER * random.nextDouble()));
            Duration left = Duration.between(clock.instant(), end);
            schedule(
                    left.isPositive() ? left : Duration.ofMillis(1),
                    "max_lifetime, %s, is over".formatted(GoDuration.of(most).text()));
        }
    }

    public void called() {
        long most = policy.maxCalls();
        if (calls.incrementAndGet() >= most && most > 0 && workedOut.compareAndSet(false, true)) {
            expired("max_calls, %d, are done".formatted(most));
        }
    }

    public long calls() {
        return calls.get();
    }

    /** Requests the replacement of the session for another reason. */
    public void supersede(String why) {
        expired(why);
    }

    /**
     * Continues with the session because its replacement did not start, and reports again later.
     *
     * @param wait the minimum delay until the next report; raised to one minute if shorter
     */
    public void goOn(Duration wait) {
        schedule(wait.compareTo(NEXT_TRY) > 0 ? wait : NEXT_TRY, reason);
    }

    public synchronized void stop() {
        stopped = true;
        if (timer != null) {
            timer.cancel();
        }
    }

    private void expired(String why) {
        reason = why;
        whenExpired.accept(why);
    }

    private synchronized void schedule(Duration delay, String why) {
        if (!stopped) {
            if (timer != null) {
                timer.cancel();
            }
            timer = clock.schedule(delay, () -> expired(why));
        }
    }
}
