package dev.orloj.controllers.informer;

import java.util.function.BiPredicate;
import java.util.function.Consumer;

/**
 * Receives every change of a collection, in order, after the {@link Cache} contains it. Called on
 * the thread of the informer, so an implementation must return immediately. Changes that cancel out
 * while the informer is disconnected from the store are not delivered.
 */
public interface EventHandler<R> {

    /** Returns a handler that treats all events alike. */
    static <R> EventHandler<R> of(Consumer<R> consumer) {
        return of((before, after) -> true, consumer);
    }

    /**
     * Returns a handler that treats all events alike, except updates that do not matter.
     *
     * @param matters takes the states before and after an update
     * @param consumer receives the current state, or the last known one of a deleted resource
     */
    static <R> EventHandler<R> of(BiPredicate<R, R> matters, Consumer<R> consumer) {
        return new EventHandler<>() {

            @Override
            public void added(R resource, boolean initial) {
                consumer.accept(resource);
            }

            @Override
            public void updated(R before, R after) {
                if (matters.test(before, after)) {
                    consumer.accept(after);
                }
            }

            @Override
            public void deleted(R last) {
                consumer.accept(last);
            }
        };
    }

    /**
     * @param initial whether the resource is part of the initial list
     */
    default void added(R resource, boolean initial) {}

    default void updated(R before, R after) {}

    /**
     * @param last the last known state
     */
    default void deleted(R last) {}
}
