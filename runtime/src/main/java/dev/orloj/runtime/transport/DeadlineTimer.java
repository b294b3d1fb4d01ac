package dev.orloj.runtime.transport;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.runtime.transport.PendingRequests.Pending;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Ends the requests of one connection that exceed their deadlines. The requests share one timer,
 * set to the earliest deadline: one timer per request would wake the timer thread twice for every
 * request. Thread-safe.
 */
final class DeadlineTimer {

    /**
     * @param end by {@link System#nanoTime}
     */
    private record Timer(long end, CompletableFuture<Void> rings) {}

    private final Collection<Pending> pending;

    private volatile @Nullable Timer timer;

    @GuardedBy("this")
    private boolean stopped = false;

    /**
     * @param pending a live view of the requests
     */
    DeadlineTimer(Collection<Pending> pending) {
        this.pending = pending;
    }

    /** Adds a pending request. */
    void added(Pending request) {
        ringBy(System.nanoTime() + request.deadline().nanosToWait());
    }

    private void ringBy(long end) {
        if (!isSetFor(end)) {
            set(end);
        }
    }

    private boolean isSetFor(long end) {
        Timer set = timer;
        return set != null && set.end() - end <= 0;
    }

    private synchronized void set(long end) {
        if (stopped || isSetFor(end)) {
            return;
        }
        cancelTimer();
        CompletableFuture<Void> rings = new CompletableFuture<>();
        timer = new Timer(end, rings);
        rings.thenRunAsync(this::look, Thread::startVirtualThread);
        rings.completeOnTimeout(null, end - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    private void look() {
        // Before the check: a request that is added in the meantime is either seen or sets a timer.
        synchronized (this) {
            timer = null;
        }
        pending.stream()
                .filter(request -> request.deadline().nanosLeft() <= 0)
                .forEach(Pending::expire);
        OptionalLong left =
                pending.stream()
                        .filter(request -> !request.answer().isDone())
                        .mapToLong(request -> request.deadline().nanosToWait())
                        .min();
        left.ifPresent(nanos -> ringBy(System.nanoTime() + nanos));
    }

    /** Stops the timer for good. */
    synchronized void stop() {
        stopped = true;
        cancelTimer();
    }

    @GuardedBy("this")
    private void cancelTimer() {
        Timer set = timer;
        if (set != null) {
            set.rings().cancel(false);
            timer = null;
        }
    }
}
