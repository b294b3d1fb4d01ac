package dev.orloj.api;

/** One change of a watched collection, in the order of its commits. */
public sealed interface WatchEvent<R> {

    /** The resource came into being, or into the selection. */
    record Added<R>(R resource) implements WatchEvent<R> {}

    record Modified<R>(R resource) implements WatchEvent<R> {}

    /** Carries the last state, with the resourceVersion of the deletion. */
    record Deleted<R>(R resource) implements WatchEvent<R> {}

    /**
     * Nothing changed up to {@code version}; a watch may resume from it.
     *
     * @param initialEventsEnd whether this marks the end of the initial state
     */
    record Bookmark<R>(ResourceVersion version, boolean initialEventsEnd)
            implements WatchEvent<R> {}
}
