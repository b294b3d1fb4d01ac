package dev.orloj.runtime.session;

/** Waits for the end of one request to a server. */
@FunctionalInterface
public interface RequestObserver {

    RequestObserver NONE = _ -> {};

    /** Called once, on the thread of the request; returns at once. */
    void ended(RequestEnd end);
}
