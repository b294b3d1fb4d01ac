package dev.orloj.runtime.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Tells when a session has lived or worked long enough to be replaced, and again when that did not
 * work out. Counts its calls. Thread-safe.
 */
final class SessionWear {

    private static final Duration NEXT_TRY = Duration.ofMinutes(1);

    /** Up to a tenth earlier, so that servers that started together are not replaced together. */
    private static final double JITTER = 0.1;

    private final Upkeep upkeep;
    private final AlarmClock clock;
    private final RandomGenerator random;
    private final Consumer<String> whenWorn;
    private final AtomicLong calls = new AtomicLong();

    private volatile String reason = "";

    @GuardedBy("this")
    private AlarmClock.@Nullable Alarm alarm;

    @GuardedBy("this")
    private boolean stopped = false;

    /**
     * @param whenWorn hears why; returns at once
     */
    SessionWear(
            Upkeep upkeep, AlarmClock clock, RandomGenerator random, Consumer<String> whenWorn) {
        this.upkeep = upkeep;
        this.clock = clock;
        this.random = random;
        this.whenWorn = whenWorn;
    }

    void start() {
        if (upkeep.maxLifetime().isPositive()) {
            long nanos = upkeep.maxLifetime().toNanos();
            Duration lifetime =
                    Duration.ofNanos(nanos - (long) (nanos * JITTER * random.nextDouble()));
            ring(lifetime, "max_lifetime, %s, is over".formatted(upkeep.maxLifetime()));
        }
    }

    void called() {
        if (calls.incrementAndGet() == upkeep.maxCalls()) {
            worn("max_calls, %d, are done".formatted(upkeep.maxCalls()));
        }
    }

    long calls() {
        return calls.get();
    }

    /** The replacement did not come up: the session goes on, and this tells again later. */
    void goOn() {
        ring(NEXT_TRY, reason);
    }

    synchronized void stop() {
        stopped = true;
        if (alarm != null) {
            alarm.cancel();
        }
    }

    private void worn(String why) {
        reason = why;
        whenWorn.accept(why);
    }

    private synchronized void ring(Duration delay, String why) {
        if (!stopped) {
            if (alarm != null) {
                alarm.cancel();
            }
            alarm = clock.ring(delay, () -> worn(why));
        }
    }
}
