package dev.orloj.runtime.container.engine;

import dev.orloj.runtime.workload.ExitStatus;

import java.util.concurrent.CompletableFuture;

/** What becomes of one container, as far as its events tell. Thread-safe. */
public final class ContainerEvents {

    private final CompletableFuture<ExitStatus> ended = new CompletableFuture<>();
    private final CompletableFuture<Void> removed = new CompletableFuture<>();
    private volatile boolean outOfMemory = false;

    /** Completes when its main program has ended. */
    public CompletableFuture<ExitStatus> ended() {
        return ended.copy();
    }

    /** Completes when nothing is left of it. */
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
