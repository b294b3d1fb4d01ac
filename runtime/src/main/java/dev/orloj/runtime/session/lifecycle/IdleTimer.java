package dev.orloj.runtime.session.lifecycle;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.runtime.clock.Scheduler;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/**
 * Records when a session was last used, and shuts its latch when the session has been idle for
 * longer than the limit. Never shuts the latch while a request is in flight. Thread-safe.
 */
public final class IdleTimer {

    private final CallLatch latch;
    private final Scheduler clock;
    private final Runnable whenShut;

    private volatile Duration limit;

    private volatile long lastUsedMillis;

    @GuardedBy("this")
    private Scheduler.@Nullable Task timer;

    @GuardedBy("this")
    private boolean started = false;

    @GuardedBy("this")
    private boolean stopped = false;

    /**
     * @param limit the idle timeout; zero means that the timer never shuts the latch
     * @param whenShut runs on the scheduler's thread after the latch is shut
     */
    public IdleTimer(Duration limit, CallLatch latch, Scheduler clock, Runnable whenShut) {
        this.limit = limit;
        this.latch = latch;
        this.clock = clock;
        this.whenShut = whenShut;
        this.lastUsedMillis = clock.millis();
    }

    public synchronized void start() {
        started = true;
        used();
        if (limit.isPositive()) {
            lookAgainIn(limit);
        }
    }

    /** Replaces the idle timeout from now on; zero means never. */
    public synchronized void follow(Duration changed) {
        if (changed.equals(limit)) {
            return;
        }
        limit = changed;
        if (timer != null) {
            timer.cancel();
        }
        if (started && changed.isPositive()) {
            lookAgainIn(left());
        }
    }

    /**
     * Continues the idle time of the session that this one replaces: a replacement does not count
     * as use.
     */
    public void carryOn(Instant lastUsed) {
        lastUsedMillis = lastUsed.toEpochMilli();
        if (limit.isPositive()) {
            lookAgainIn(left());
        }
    }

    private Duration left() {
        Duration left = limit.minusMillis(clock.millis() - lastUsedMillis);
        return left.isPositive() ? left : Duration.ofMillis(1);
    }

    public void used() {
        lastUsedMillis = clock.millis();
    }

    public Instant lastUsed() {
        return Instant.ofEpochMilli(lastUsedMillis);
    }

    public synchronized void stop() {
        stopped = true;
        if (timer != null) {
            timer.cancel();
        }
    }

    private void look() {
        long seen = latch.look();
        Duration limit = this.limit;
        if (limit.isZero()) {
            return;
        }
        Duration left = limit.minusMillis(clock.millis() - lastUsedMillis);
        if (left.isPositive()) {
            // A clock that was set back must not extend the wait beyond the limit.
            lookAgainIn(left.compareTo(limit) > 0 ? limit : left);
        } else if (latch.shutIfUnchanged(seen)) {
            whenShut.run();
        } else {
            // A request is in flight: the session becomes idle no earlier than one limit after it
            // ends.
            lookAgainIn(limit);
        }
    }

    private synchronized void lookAgainIn(Duration delay) {
        if (!stopped) {
            if (timer != null) {
                timer.cancel();
            }
            timer = clock.schedule(delay, this::look);
        }
    }
}
