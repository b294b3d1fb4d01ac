package dev.orloj.controllers.singleton;

import dev.orloj.api.core.Lease;
import dev.orloj.controllers.informer.EventHandler;
import dev.orloj.runtime.session.SingletonTerm;

/** Tells a replica who owns the singletons, for its answers to those that it has to turn away. */
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
