package dev.orloj.runtime.session.lifecycle;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.runtime.clock.Scheduler;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/**
 * Remembers when a session was last used, and shuts its gate when that was too long ago. Never
 * shuts it while somebody is inside. Thread-safe.
 */
public final class IdleTimer {

    private final CallLatch latch;
    private final Scheduler clock;
    private final Runnable whenShut;

    private volatile Duration limit;

    private volatile long lastUsedMillis;

    @GuardedBy("this")
    private Scheduler.@Nullable Alarm timer;

    @GuardedBy("this")
    private boolean started = false;

    @GuardedBy("this")
    private boolean stopped = false;

    /**
     * @param limit zero for a watch that never shuts the gate
     * @param whenShut runs on the thread of the alarms, after the gate was shut
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

    /** From now on so long counts as idle; zero for never. */
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

    /** Goes on where the session before this one was: a replacement is no use. */
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
            // A clock that was set back must not make it longer than the limit.
            lookAgainIn(left.compareTo(limit) > 0 ? limit : left);
        } else if (latch.shutIfUnchanged(seen)) {
            whenShut.run();
        } else {
            // Somebody is inside: it is idle that long after they have left at the earliest.
            lookAgainIn(limit);
        }
    }

    private synchronized void lookAgainIn(Duration delay) {
        if (!stopped) {
            if (timer != null) {
                timer.cancel();
            }
            timer = clock.ring(delay, this::look);
        }
    }
}
