package dev.orloj.server.store.change;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Wakes one waiting thread; raising it many times before it is seen is raising it once. */
public final class WakeUp {

    private final Semaphore raised = new Semaphore(0);

    public void raise() {
        if (raised.availablePermits() == 0) {
            raised.release();
        }
    }

    /** Waits until it is raised, but not longer than {@code timeout}, and lowers it. */
    public void await(Duration timeout) throws InterruptedException {
        if (raised.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
            raised.drainPermits();
        }
    }
}
