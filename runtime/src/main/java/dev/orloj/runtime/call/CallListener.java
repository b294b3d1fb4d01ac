package dev.orloj.runtime.call;

/** Receives every call when it has ended. Called on the client's thread; must return at once. */
@FunctionalInterface
public interface CallListener {

    void called(CallRecord call);
}
