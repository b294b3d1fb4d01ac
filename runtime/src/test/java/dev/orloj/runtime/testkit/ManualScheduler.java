package dev.orloj.runtime.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.runtime.clock.Scheduler;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A clock that stands still until a test moves it. Tasks run on the thread that moves it. */
public final class ManualScheduler implements Scheduler {

    private record Pending(Instant due, Runnable task) {}

    @GuardedBy("this")
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @GuardedBy("this")
    private final List<Pending> pending = new ArrayList<>();

    @Override
    public synchronized Instant instant() {
        return now;
    }

    @Override
    public Task schedule(Duration delay, Runnable task) {
        if (!delay.isPositive()) {
            task.run();
            return () -> {};
        }
        Pending added;
        synchronized (this) {
            added = new Pending(now.plus(delay), task);
            pending.add(added);
        }
        return () -> cancel(added);
    }

    /** Moves on, through every task that is due on the way. */
    public void advance(Duration duration) {
        Instant target = instant().plus(duration);
        for (Optional<Pending> due = nextUntil(target); due.isPresent(); due = nextUntil(target)) {
            due.get().task().run();
        }
    }

    /** How long until each task, soonest first. */
    public synchronized List<Duration> delays() {
        Instant from = now;
        return pending.stream().map(p -> Duration.between(from, p.due())).sorted().toList();
    }

    private synchronized Optional<Pending> nextUntil(Instant target) {
        Optional<Pending> due =
                pending.stream()
                        .filter(p -> !p.due().isAfter(target))
                        .min(Comparator.comparing(Pending::due));
        due.ifPresent(pending::remove);
        now = due.map(Pending::due).orElse(target);
        return due;
    }

    private synchronized void cancel(Pending timer) {
        pending.remove(timer);
    }
}
