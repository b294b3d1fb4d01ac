package dev.orloj.runtime.pod;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.runtime.workload.ExitStatus;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The latest known state of one Pod, updated by a {@link PodWatch}. Thread-safe. */
final class FollowedPod {

    private final String name;
    private final Predicate<JsonNode> first;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final CompletableFuture<ExitStatus> ended = new CompletableFuture<>();
    private final CompletableFuture<Void> removed = new CompletableFuture<>();

    @GuardedBy("lock")
    private @Nullable PodStatus latest;

    private volatile boolean created = false;
    private volatile boolean abandoned = false;
    private volatile boolean left = false;
    private volatile boolean begun = false;

    FollowedPod(String name) {
        this(name, pod -> true);
    }

    /**
     * @param first whether a state may be the first of the Pod; states before it are those that the
     *     Pod had before it was claimed
     */
    FollowedPod(String name, Predicate<JsonNode> first) {
        this.name = name;
        this.first = first;
    }

    /** Returns whether a state that was reported is one to follow. For the thread of the watch. */
    boolean accepts(JsonNode pod) {
        begun = begun || first.test(pod);
        return begun;
    }

    String name() {
        return name;
    }

    /** Returns whether the API server has stored the Pod. */
    boolean isCreated() {
        return created;
    }

    /** Records that the API server has stored the Pod. */
    void created() {
        created = true;
    }

    /** Returns whether no caller waits for the start of the Pod any more. */
    boolean isAbandoned() {
        return abandoned;
    }

    /** Ends {@link #await}: no caller needs the Pod any more. */
    void abandon() {
        abandoned = true;
        signal();
    }

    /** Completes when the container has ended, or the Pod is gone. */
    CompletableFuture<ExitStatus> ended() {
        return ended;
    }

    /** Completes when the Pod is gone. */
    CompletableFuture<Void> removed() {
        return removed;
    }

    /** Ignores the Pod from now on: it belongs to no session, or to one of another orlojd. */
    void leave() {
        left = true;
    }

    void update(JsonNode pod) {
        if (left) {
            return;
        }
        PodStatus status = PodStatus.of(pod);
        lock.lock();
        try {
            latest = status;
            // Before the signal: a start that wakes up without the end would wait for its timeout.
            status.exit().ifPresent(ended::complete);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Reports that the Pod is gone.
     *
     * @param cause what removed it; empty if that is not known
     */
    void remove(String cause) {
        if (left) {
            removed.complete(null);
            return;
        }
        ended.complete(
                new ExitStatus(
                        ExitStatus.UNKNOWN.code(),
                        false,
                        cause.isEmpty() ? "the Pod was deleted" : cause));
        removed.complete(null);
        signal();
    }

    private void signal() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until the condition holds, the container has ended, the Pod is gone or abandoned.
     *
     * @param progress receives each new state
     * @return the latest state; null if there is none
     */
    @Nullable PodStatus await(
            Predicate<PodStatus> condition, Duration timeout, Consumer<PodStatus> progress)
            throws InterruptedException {
        long left = timeout.toNanos();
        PodStatus reported = null;
        while (true) {
            PodStatus current;
            lock.lockInterruptibly();
            try {
                while (latest == reported && !isOver() && left > 0) {
                    left = changed.awaitNanos(left);
                }
                current = latest;
            } finally {
                lock.unlock();
            }
            if (isOver() || left <= 0 || current == null || condition.test(current)) {
                return current;
            }
            progress.accept(current);
            reported = current;
        }
    }

    private boolean isOver() {
        return abandoned || ended.isDone();
    }
}
