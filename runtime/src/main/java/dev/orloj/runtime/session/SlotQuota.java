package dev.orloj.runtime.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.runtime.limit.LimitReachedException;
import dev.orloj.runtime.limit.ProcessQuota;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.transport.ServerAddress;

/**
 * The room that the processes of one lane take: while its sessions replace each other they count as
 * one. Thread-safe.
 */
final class SlotQuota {

    private final ProcessQuota quota;

    @GuardedBy("this")
    private boolean taken = false;

    SlotQuota(ProcessQuota quota) {
        this.quota = quota;
    }

    /**
     * Takes it, unless the lane has it or needs none.
     *
     * @throws LimitReachedException when there is none
     */
    void claim(ServerDefinition definition) throws InterruptedException {
        if (definition.address() instanceof ServerAddress.Stdio && !isTaken()) {
            quota.take();
            keep();
        }
    }

    /** Nothing is left in the lane. */
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
            // Another session of the lane was quicker.
            quota.giveBack();
        }
        taken = true;
    }
}
