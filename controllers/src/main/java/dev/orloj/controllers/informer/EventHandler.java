package dev.orloj.controllers.informer;

/**
 * Told of every change of a collection, in order, after the {@link Cache} shows it. Called on the
 * thread of the informer: an implementation returns at once. Changes that cancel out while the
 * informer is cut off from the store are not told.
 */
public interface EventHandler<R> {

    /**
     * @param initial whether the resource was there when the informer first looked
     */
    void added(R resource, boolean initial);

    void updated(R before, R after);

    /**
     * @param last the last state that is known
     */
    void deleted(R last);
}
