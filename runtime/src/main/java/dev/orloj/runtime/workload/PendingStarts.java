package dev.orloj.runtime.workload;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The starts of workloads that are in progress. Each runs on a thread of its own, because an
 * interrupt during a request to an engine would leave its outcome unknown. Thread-safe.
 */
public final class PendingStarts<W extends Workload> {

    private final Set<Future<W>> starting = ConcurrentHashMap.newKeySet();

    /**
     * Runs a start and returns the workload. If the calling thread is interrupted meanwhile, the
     * workload is stopped once it has started.
     *
     * @param thread name of the thread of the start
     * @param image for messages
     * @throws WorkloadException when the workload cannot be started
     */
    public W run(String thread, String image, Callable<W> start) throws InterruptedException {
        FutureTask<W> task =
                new FutureTask<>(start) {
                    @Override
                    protected void done() {
                        starting.remove(this);
                    }
                };
        starting.add(task);
        Thread.ofVirtual().name(thread).start(task);
        try {
            return task.get();
        } catch (InterruptedException e) {
            Workload.abandon(task);
            throw e;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof WorkloadException known) {
                throw known;
            }
            throw new WorkloadException(
                    "Image \"%s\" could not be started: %s".formatted(image, e.getCause()),
                    e.getCause());
        }
    }

    /**
     * Waits for the starts that are in progress.
     *
     * @return whether all have ended within the timeout
     */
    public boolean await(Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        for (Future<W> start : starting) {
            try {
                start.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (ExecutionException e) {
                // Nothing is left of the workload.
            } catch (TimeoutException e) {
                return false;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }
}
