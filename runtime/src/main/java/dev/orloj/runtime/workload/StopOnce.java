package dev.orloj.runtime.workload;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs a stop once, for the first thread that requests it, and lets all requesting threads wait for
 * its end. The stop runs on its own thread, so that an interrupt of a requester does not end it
 * early. Thread-safe.
 */
public final class StopOnce {

    private final AtomicBoolean begun = new AtomicBoolean();
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    /** Returns whether the stop was requested. */
    public boolean hasBegun() {
        return begun.get();
    }

    /**
     * Returns when the stop is complete, even if the calling thread is interrupted.
     *
     * @param thread the name of the thread of the stop
     * @param stop the action; only that of the first call runs
     */
    public void run(String thread, Runnable stop) {
        if (begun.compareAndSet(false, true)) {
            Thread.ofVirtual()
                    .name(thread)
                    .start(
                            () -> {
                                try {
                                    stop.run();
                                } finally {
                                    done.complete(null);
                                }
                            });
        }
        done.join();
    }
}
