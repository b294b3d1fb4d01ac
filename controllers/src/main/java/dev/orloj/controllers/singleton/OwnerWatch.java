package dev.orloj.controllers.singleton;

import dev.orloj.api.core.Lease;
import dev.orloj.controllers.informer.EventHandler;
import dev.orloj.runtime.session.SingletonTerm;

/**
 * Updates the singleton term with the owner of the singletons, which this replica names when it
 * refuses a call.
 */
public final class OwnerWatch implements EventHandler<Lease> {

    private final SingletonTerm term;

    public OwnerWatch(SingletonTerm term) {
        this.term = term;
    }

    @Override
    public void added(Lease lease, boolean initial) {
        heed(lease, SingletonLease.holder(lease));
    }

    @Override
    public void updated(Lease before, Lease after) {
        heed(after, SingletonLease.holder(after));
    }

    @Override
    public void deleted(Lease lease) {
        heed(lease, "");
    }

    private void heed(Lease lease, String owner) {
        if (lease.key().equals(SingletonLease.KEY)) {
            term.ownedBy(owner);
        }
    }
}
