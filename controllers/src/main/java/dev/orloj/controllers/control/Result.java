package dev.orloj.controllers.control;

import java.time.Duration;

/**
 * How a reconcile that did not fail ended. A failure is an exception, so no result asks for a retry
 * or carries an error.
 */
public sealed interface Result {

    /** Nothing is left to do until something changes. */
    Result DONE = new Done();

    /** Nothing is left to do until something changes. */
    record Done() implements Result {}

    /** Requests another reconcile after a delay, or earlier if something changes. */
    record RequeueAfter(Duration delay) implements Result {

        public RequeueAfter {
            if (delay.isNegative()) {
                throw new IllegalArgumentException("Delay " + delay + " is negative");
            }
        }
    }

    static Result requeueAfter(Duration delay) {
        return new RequeueAfter(delay);
    }
}
