package dev.orloj.runtime.container.engine;

import dev.orloj.runtime.workload.ExitStatus;

import java.util.concurrent.CompletableFuture;

/**
 * Tracks the end and the removal of one container, as reported by the engine's events. Thread-safe.
 */
public final class ContainerEvents {

    private final CompletableFuture<ExitStatus> ended = new CompletableFuture<>();
    private final CompletableFuture<Void> removed = new CompletableFuture<>();
    private volatile boolean outOfMemory = false;

    /** Completes when the main program of the container has ended. */
    public CompletableFuture<ExitStatus> ended() {
        return ended.copy();
    }

    /** Completes when the container is removed. */
    public CompletableFuture<Void> removed() {
        return removed.copy();
    }

    void ranOutOfMemory() {
        outOfMemory = true;
    }

    void died(int exitCode) {
        ended.complete(new ExitStatus(exitCode, outOfMemory));
    }

    void gone() {
        ended.complete(ExitStatus.UNKNOWN);
        removed.complete(null);
    }
}
