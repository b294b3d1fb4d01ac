package dev.orloj.controllers.control;

import dev.orloj.api.ResourceKey;

/**
 * Brings the world in line with one resource. It is told which resource, never what happened to it:
 * everything is worked out anew from the present state, so that a lost, doubled or late call does
 * no harm. One key is with one thread at a time; different keys are not.
 */
@FunctionalInterface
public interface Reconciler {

    /**
     * @throws dev.orloj.api.ApiException with reason Conflict when the resource moved on meanwhile:
     *     tried again at once and without a word
     * @throws RuntimeException for everything else: tried again after a backoff
     */
    Result reconcile(ResourceKey key) throws InterruptedException;
}
