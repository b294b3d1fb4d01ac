package dev.orloj.runtime.limit;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;

/**
 * Limits the processes of all servers. A process takes a place before it starts and releases it
 * when nothing is left of the process. If no place is free, an idle session is closed. Calls in
 * open sessions do not use the quota. Thread-safe.
 */
public final class ProcessQuota {

    private static final Duration SOON = Duration.ofSeconds(5);
    private static final long MIB = 1024 * 1024;

    /** Closes idle sessions to free processes. */
    @FunctionalInterface
    public interface Idle {

        /**
         * Ends the process that was idle longest, and returns when it is gone.
         *
         * @return false when no process is idle
         */
        boolean closeOne() throws InterruptedException;
    }

    private final ProcessLimits limits;
    private final LongSupplier memoryBytes;
    private final Idle idle;
    private final Semaphore free;

    /**
     * @param memoryBytes memory that all processes currently use
     */
    public ProcessQuota(ProcessLimits limits, LongSupplier memoryBytes, Idle idle) {
        this.limits = limits;
        this.memoryBytes = memoryBytes;
        this.idle = idle;
        this.free = new Semaphore(limits.processes() == 0 ? Integer.MAX_VALUE : limits.processes());
    }

    /**
     * @throws LimitReachedException when no place is free and no idle session can be closed
     */
    public void take() throws InterruptedException {
        while (!free.tryAcquire()) {
            if (!idle.closeOne()) {
                throw new LimitReachedException(
                        Limit.MAX_PROCESSES,
                        "--max-processes is %d, so many run, and none of them is idle"
                                .formatted(limits.processes()),
                        SOON);
            }
        }
        boolean done = false;
        try {
            requireMemory();
            done = true;
        } finally {
            if (!done) {
                giveBack();
            }
        }
    }

    public void giveBack() {
        free.release();
    }

    private void requireMemory() throws InterruptedException {
        if (limits.memoryBytes() == 0) {
            return;
        }
        long used = memoryBytes.getAsLong();
        while (used > limits.memoryBytes()) {
            if (!idle.closeOne()) {
                throw new LimitReachedException(
                        Limit.MAX_PROCESS_MEMORY,
                        "--max-process-memory is %d MiB, the processes of servers take %d MiB, and none of them is idle"
                                .formatted(limits.memoryBytes() / MIB, used / MIB),
                        SOON);
            }
            used = memoryBytes.getAsLong();
        }
    }
}
