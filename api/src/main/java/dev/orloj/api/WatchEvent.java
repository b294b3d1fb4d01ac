package dev.orloj.api;

/** One change of a watched collection, in commit order. */
public sealed interface WatchEvent<R> {

    /** The resource was created or now matches the selection. */
    record Added<R>(R resource) implements WatchEvent<R> {}

    record Modified<R>(R resource) implements WatchEvent<R> {}

    /** Has the last state, with the resourceVersion of the deletion. */
    record Deleted<R>(R resource) implements WatchEvent<R> {}

    /**
     * Nothing changed up to {@code version}. A watch may resume from it.
     *
     * @param initialEventsEnd whether this marks the end of the initial state
     */
    record Bookmark<R>(ResourceVersion version, boolean initialEventsEnd)
            implements WatchEvent<R> {}
}
