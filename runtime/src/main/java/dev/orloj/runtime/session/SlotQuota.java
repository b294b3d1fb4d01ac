package dev.orloj.runtime.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.runtime.limit.LimitReachedException;
import dev.orloj.runtime.limit.ProcessQuota;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.transport.ServerAddress;

/**
 * The place of one slot in the {@link ProcessQuota}: sessions that replace each other in the slot
 * count as one process. Thread-safe.
 */
final class SlotQuota {

    private final ProcessQuota quota;

    @GuardedBy("this")
    private boolean taken = false;

    SlotQuota(ProcessQuota quota) {
        this.quota = quota;
    }

    /**
     * Takes a place, unless the slot has one or needs none.
     *
     * @throws LimitReachedException when no place is free
     */
    void claim(ServerDefinition definition) throws InterruptedException {
        if (definition.address() instanceof ServerAddress.Stdio && !isTaken()) {
            quota.take();
            keep();
        }
    }

    /** Releases the place, when the slot has no session left. */
    synchronized void giveBack() {
        if (taken) {
            taken = false;
            quota.giveBack();
        }
    }

    private synchronized boolean isTaken() {
        return taken;
    }

    private synchronized void keep() {
        if (taken) {
            // Another session of the slot has taken a place at the same time.
            quota.giveBack();
        }
        taken = true;
    }
}
