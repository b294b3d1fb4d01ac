package dev.orloj.controllers.control;

import dev.orloj.api.ResourceKey;

/**
 * Makes the actual state match one resource. A reconciler receives the key of a resource but not
 * the event: it computes everything from the current state, so a lost, duplicate, or late call does
 * no harm. At most one thread reconciles a key at a time; different keys run concurrently.
 */
@FunctionalInterface
public interface Reconciler {

    /**
     * @throws dev.orloj.api.ApiException with reason Conflict when the resource has changed in the
     *     meantime; the key is retried without a warning
     * @throws RuntimeException for everything else; the key is retried after a backoff
     */
    Result reconcile(ResourceKey key) throws InterruptedException;
}
