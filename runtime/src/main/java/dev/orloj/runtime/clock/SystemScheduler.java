package dev.orloj.runtime.clock;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The machine's clock, with one daemon thread for all alarms. */
public final class SystemScheduler implements Scheduler, AutoCloseable {

    private final InstantSource clock = InstantSource.system();
    private final ScheduledThreadPoolExecutor timer;

    public SystemScheduler() {
        timer =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().daemon().name("orloj-alarms").factory());
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public Instant instant() {
        return clock.instant();
    }

    @Override
    public long millis() {
        return clock.millis();
    }

    @Override
    public Alarm ring(Duration delay, Runnable task) {
        Future<?> future = timer.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    /** Alarms that have not rung yet never will. */
    @Override
    public void close() {
        timer.shutdownNow();
    }
}
