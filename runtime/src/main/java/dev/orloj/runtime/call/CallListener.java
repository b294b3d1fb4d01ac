package dev.orloj.runtime.call;

/** Hears of every call when it has ended. Called on the caller's thread; returns at once. */
@FunctionalInterface
public interface CallListener {

    void called(CallRecord call);
}
