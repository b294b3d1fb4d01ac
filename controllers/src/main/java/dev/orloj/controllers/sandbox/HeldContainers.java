package dev.orloj.controllers.sandbox;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.api.Backoff;
import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.container.spec.ExecTarget;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/**
 * Keeps the containers of always-on Sandboxes running. Nothing here waits for the engine: each
 * start and each stop has its own thread and enqueues its Sandbox when it ends. Thread-safe.
 */
final class HeldContainers {

    private static final Logger log = LoggerFactory.getLogger(HeldContainers.class);

    /** A container that ran this long has not failed to start. */
    private static final Duration SETTLED = Duration.ofMinutes(1);

    /** Without jitter, because the rest of a wait is computed again at each look. */
    private static final Backoff RETRY =
            new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5), 0);

    /** Starts containers, or joins a container that is already in use. */
    @FunctionalInterface
    interface Starter {

        /**
         * @throws dev.orloj.runtime.workload.WorkloadException when it cannot be started
         */
        Started start(ExecTarget.Managed target) throws InterruptedException;
    }

    /** A container that was started. */
    interface Started {

        boolean hasEnded();

        /** Releases the container. Returns when it has ended, unless others still use it. */
        void close();
    }

    /** The state of a container that should run. */
    sealed interface State {

        record Running() implements State {}

        record Starting(Instant since) implements State {}

        /**
         * The container keeps ending by itself.
         *
         * @param left the time until it is started again
         */
        record Ended(Duration left) implements State {}

        /**
         * The container could not be started.
         *
         * @param left the time until the next attempt
         */
        record Failed(String cause, Duration left) implements State {}
    }

    /**
     * A container that should run. The monitor of the enclosing instance guards all fields but the
     * target.
     */
    private static final class Held {

        private final ExecTarget.Managed target;
        private @Nullable Thread starting;
        private @Nullable Started running;

        /** The container of an earlier target. It runs until the new one does. */
        private @Nullable Started before;

        private @Nullable String failure;

        /** The time of the latest start, failure, or end. */
        private Instant since;

        /** Failures in a row, including ends soon after a start. */
        private int failures = 0;

        Held(ExecTarget.Managed target, Instant since) {
            this.target = target;
            this.since = since;
        }
    }

    private final Starter starter;
    private final InstantSource clock;
    private final Consumer<ResourceKey> enqueue;

    @GuardedBy("this")
    private final Map<ResourceKey, Held> held = new HashMap<>();

    /** The number of starts and stops in progress. */
    @GuardedBy("this")
    private final Map<ResourceKey, Integer> underWay = new HashMap<>();

    /**
     * @param enqueue receives a Sandbox when a start or stop of its container has ended
     */
    HeldContainers(Starter starter, InstantSource clock, Consumer<ResourceKey> enqueue) {
        this.starter = starter;
        this.clock = clock;
        this.enqueue = enqueue;
    }

    /** Makes sure that the container runs, and returns its state. */
    synchronized State hold(ResourceKey key, ExecTarget.Managed target) {
        Instant now = clock.instant();
        Held known = held.get(key);
        if (known == null || !known.target.equals(target)) {
            return start(key, succeed(key, known, new Held(target, now)));
        }
        if (known.starting != null) {
            return new State.Starting(known.since);
        }
        Started running = known.running;
        if (running != null && !running.hasEnded()) {
            return new State.Running();
        }
        if (running != null) {
            boolean soon = Duration.between(known.since, now).compareTo(SETTLED) < 0;
            known.failures = soon ? known.failures + 1 : 0;
            known.since = now;
            known.running = null;
            close(key, running);
        }
        Duration left = wait(known.failures).minus(Duration.between(known.since, now));
        if (!left.isPositive()) {
            return start(key, known);
        }
        String failure = known.failure;
        return failure == null ? new State.Ended(left) : new State.Failed(failure, left);
    }

    @GuardedBy("this")
    private Held succeed(ResourceKey key, @Nullable Held last, Held next) {
        if (last != null) {
            interrupt(last);
            next.before = last.running == null ? last.before : last.running;
        }
        held.put(key, next);
        return next;
    }

    private static void interrupt(Held held) {
        Thread starting = held.starting;
        if (starting != null) {
            starting.interrupt();
        }
    }

    @GuardedBy("this")
    private State start(ResourceKey key, Held next) {
        next.since = clock.instant();
        next.failure = null;
        next.starting = begin("start", key, () -> run(key, next));
        return new State.Starting(next.since);
    }

    private void run(ResourceKey key, Held next) {
        try {
            Started started = starter.start(next.target);
            Started superfluous = started(key, next, started);
            if (superfluous != null) {
                superfluous.close();
            }
        } catch (InterruptedException e) {
            failed(key, next, "the start was broken off");
        } catch (RuntimeException | Error e) {
            failed(key, next, String.valueOf(e.getMessage()));
        }
    }

    /** Returns the container to close, if there is one. */
    private synchronized @Nullable Started started(ResourceKey key, Held next, Started started) {
        next.starting = null;
        if (held.get(key) != next) {
            return started;
        }
        Started before = next.before;
        next.before = null;
        next.running = started;
        next.since = clock.instant();
        return before;
    }

    private synchronized void failed(ResourceKey key, Held next, String cause) {
        next.starting = null;
        next.since = clock.instant();
        next.failure = cause;
        next.failures++;
        if (held.get(key) == next) {
            log.atWarn()
                    .addKeyValue("sandbox", key)
                    .addKeyValue("failures", next.failures)
                    .addKeyValue("retryIn", wait(next.failures))
                    .addKeyValue("error", cause)
                    .log("Container did not start");
        }
    }

    private static Duration wait(int failures) {
        return failures == 0 ? Duration.ZERO : RETRY.delay(failures, ThreadLocalRandom.current());
    }

    /** Stops keeping the container running. It may end. */
    synchronized void release(ResourceKey key) {
        Held last = held.remove(key);
        if (last == null) {
            return;
        }
        interrupt(last);
        if (last.running != null) {
            close(key, last.running);
        }
        if (last.before != null) {
            close(key, last.before);
        }
    }

    /** Returns whether nothing is held and no start or stop is in progress. */
    synchronized boolean isGone(ResourceKey key) {
        return !held.containsKey(key) && !underWay.containsKey(key);
    }

    @GuardedBy("this")
    private void close(ResourceKey key, Started started) {
        begin("stop", key, started::close);
    }

    @GuardedBy("this")
    private Thread begin(String what, ResourceKey key, Runnable work) {
        underWay.merge(key, 1, Integer::sum);
        return Thread.ofVirtual()
                .name("%s-sandbox-%s".formatted(what, key))
                .start(
                        () -> {
                            try {
                                work.run();
                            } finally {
                                ended(key);
                                enqueue.accept(key);
                            }
                        });
    }

    private synchronized void ended(ResourceKey key) {
        underWay.computeIfPresent(key, (k, count) -> count == 1 ? null : count - 1);
    }
}
