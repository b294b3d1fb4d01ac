package dev.orloj.runtime.observation;

/** Receives the end of one request. */
@FunctionalInterface
public interface RequestObserver {

    RequestObserver NONE = _ -> {};

    /** Called once, on the thread of the request; must return at once. */
    void ended(RequestEnd end);

    /** Returns an observer that calls this one, and then the other. */
    default RequestObserver and(RequestObserver other) {
        if (this == NONE || other == NONE) {
            return this == NONE ? other : this;
        }
        return end -> {
            ended(end);
            other.ended(end);
        };
    }
}
