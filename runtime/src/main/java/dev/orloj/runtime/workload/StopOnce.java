package dev.orloj.runtime.workload;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The stop of something: done once, by whoever asks first, and waited for by all who ask. It runs
 * on a thread of its own, so that an interrupted caller does not cut it short. Thread-safe.
 */
public final class StopOnce {

    private final AtomicBoolean begun = new AtomicBoolean();
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    /** Whether anybody has asked. */
    public boolean hasBegun() {
        return begun.get();
    }

    /**
     * Returns when the stop is over, even for a caller that is interrupted.
     *
     * @param thread the name of its thread
     * @param stop what is done; without effect for all callers but the first
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
