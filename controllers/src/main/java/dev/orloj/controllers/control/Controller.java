package dev.orloj.controllers.control;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.controllers.workqueue.Workqueue;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Runs workers that take keys from a work queue and pass them to a {@link Reconciler}. Only this
 * type decides whether and when a key is requeued. Thread-safe.
 */
public final class Controller {

    private static final Logger log = LoggerFactory.getLogger(Controller.class);

    /**
     * Another client wrote first, or the cache was stale. The next reconcile reads the current
     * state.
     */
    private static final Set<ErrorReason> OUTDATED =
            EnumSet.of(ErrorReason.CONFLICT, ErrorReason.ALREADY_EXISTS, ErrorReason.NOT_FOUND);

    /** How one reconcile ended. */
    private sealed interface Outcome {

        record Finished(Result result) implements Outcome {}

        record Outdated(ApiException cause) implements Outcome {}

        record Failed(Throwable cause) implements Outcome {}
    }

    private final String name;
    private final Workqueue<ResourceKey> queue;
    private final Reconciler reconciler;
    private final LeaderElector elector;
    private final List<Thread> workers;

    public Controller(
            String name,
            Workqueue<ResourceKey> queue,
            Reconciler reconciler,
            LeaderElector elector,
            int workerCount) {
        this.name = name;
        this.queue = queue;
        this.reconciler = reconciler;
        this.elector = elector;
        this.workers =
                IntStream.range(0, workerCount)
                        .mapToObj(n -> Thread.ofVirtual().name(name + "-" + n))
                        .map(thread -> thread.unstarted(this::work))
                        .toList();
    }

    public String name() {
        return name;
    }

    /** Returns the queue that its workers read. */
    public Workqueue<ResourceKey> queue() {
        return queue;
    }

    public void start() {
        workers.forEach(Thread::start);
    }

    /** Interrupts the workers and returns when all have ended. */
    public void stop() throws InterruptedException {
        queue.shutDown();
        workers.forEach(Thread::interrupt);
        for (Thread worker : workers) {
            worker.join();
        }
    }

    private void work() {
        try {
            Optional<ResourceKey> next = queue.take();
            while (next.isPresent()) {
                elector.awaitLeadership();
                process(next.get());
                next = queue.take();
            }
        } catch (InterruptedException e) {
            log.atDebug().addKeyValue("controller", name).log("Worker stopped");
        }
    }

    /** Reconciles one key that was taken from the queue, and releases it. */
    void process(ResourceKey key) throws InterruptedException {
        long start = System.nanoTime();
        try {
            settle(key, attempt(key));
        } finally {
            queue.done(key);
            queue.timings().worked(Duration.ofNanos(System.nanoTime() - start));
        }
    }

    // A worker survives everything that a reconciler throws, including a StackOverflowError caused
    // by a bad document.
    private Outcome attempt(ResourceKey key) throws InterruptedException {
        try {
            return new Outcome.Finished(reconciler.reconcile(key));
        } catch (ApiException e) {
            return OUTDATED.contains(e.reason()) ? new Outcome.Outdated(e) : new Outcome.Failed(e);
        } catch (RuntimeException | Error e) {
            return new Outcome.Failed(e);
        }
    }

    private void settle(ResourceKey key, Outcome outcome) {
        switch (outcome) {
            case Outcome.Finished(Result.Done()) -> queue.forget(key);
            case Outcome.Finished(Result.RequeueAfter(Duration delay)) -> {
                queue.forget(key);
                queue.addAfter(key, delay);
            }
            case Outcome.Outdated(ApiException cause) -> {
                queue.retry(key);
                log.atDebug()
                        .addKeyValue("controller", name)
                        .addKeyValue("key", key)
                        .addKeyValue("error", cause.getMessage())
                        .log("Outdated, trying again");
            }
            case Outcome.Failed(RetryException cause) -> {
                Duration delay = queue.retry(key);
                log.atInfo()
                        .addKeyValue("controller", name)
                        .addKeyValue("key", key)
                        .addKeyValue("retryIn", delay)
                        .addKeyValue("error", cause.getMessage())
                        .log("Not there yet, trying again");
            }
            case Outcome.Failed(Throwable cause) -> {
                Duration delay = queue.retry(key);
                log.atWarn()
                        .addKeyValue("controller", name)
                        .addKeyValue("key", key)
                        .addKeyValue("retryIn", delay)
                        .setCause(cause)
                        .log("Reconcile failed");
            }
        }
    }
}
