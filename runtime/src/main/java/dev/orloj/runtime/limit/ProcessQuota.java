package dev.orloj.runtime.limit;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;

/**
 * Room for processes below the ceilings, taken before one is started and given back when nothing is
 * left of it. Where there is none, idle sessions give way. Thread-safe; calls in open sessions
 * never come here.
 */
public final class ProcessQuota {

    private static final Duration SOON = Duration.ofSeconds(5);
    private static final long MIB = 1024 * 1024;

    /** Somebody who can do without a process. */
    @FunctionalInterface
    public interface Idle {

        /**
         * Ends the process that was idle longest, and returns when it is gone.
         *
         * @return false when none is idle
         */
        boolean closeOne() throws InterruptedException;
    }

    private final ProcessLimits limits;
    private final LongSupplier memoryBytes;
    private final Idle idle;
    private final Semaphore free;

    /**
     * @param memoryBytes what all processes take now
     */
    public ProcessQuota(ProcessLimits limits, LongSupplier memoryBytes, Idle idle) {
        this.limits = limits;
        this.memoryBytes = memoryBytes;
        this.idle = idle;
        this.free = new Semaphore(limits.processes() == 0 ? Integer.MAX_VALUE : limits.processes());
    }

    /**
     * @throws LimitReachedException when there is no room, and nobody to make some
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
