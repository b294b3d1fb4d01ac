package dev.orloj.controllers.informer;

/**
 * Receives every change of a collection, in order, after the {@link Cache} contains it. Called on
 * the thread of the informer, so an implementation must return immediately. Changes that cancel out
 * while the informer is disconnected from the store are not delivered.
 */
public interface EventHandler<R> {

    /**
     * @param initial whether the resource is part of the initial list
     */
    void added(R resource, boolean initial);

    void updated(R before, R after);

    /**
     * @param last the last known state
     */
    void deleted(R last);
}
