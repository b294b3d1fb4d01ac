package dev.orloj.server.store.change;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Wakes one waiting thread; several signals before it wakes count as one. */
public final class WakeUp {

    private final Semaphore raised = new Semaphore(0);

    public void raise() {
        if (raised.availablePermits() == 0) {
            raised.release();
        }
    }

    /** Waits for a signal, at most {@code timeout}, and resets it. */
    public void await(Duration timeout) throws InterruptedException {
        if (raised.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
            raised.drainPermits();
        }
    }
}
