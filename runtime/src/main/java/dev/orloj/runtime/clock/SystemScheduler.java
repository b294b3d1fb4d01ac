package dev.orloj.runtime.clock;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A scheduler on the system clock, with one daemon thread for all tasks. */
public final class SystemScheduler implements Scheduler, AutoCloseable {

    private final InstantSource clock = InstantSource.system();
    private final ScheduledThreadPoolExecutor timer;

    public SystemScheduler() {
        timer =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().daemon().name("orloj-scheduler").factory());
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
    public Task schedule(Duration delay, Runnable task) {
        Future<?> future = timer.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    /** Drops all scheduled tasks. */
    @Override
    public void close() {
        timer.shutdownNow();
    }
}
