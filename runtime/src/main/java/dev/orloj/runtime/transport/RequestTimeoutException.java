package dev.orloj.runtime.transport;

import java.time.Duration;

/** A server did not answer in time. The connection itself may be in good health. */
public final class RequestTimeoutException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Duration after;

    public RequestTimeoutException(String method, Duration after) {
        super("No answer to \"" + method + "\" within " + after.toMillis() + " ms");
        this.after = after;
    }

    public Duration after() {
        return after;
    }
}
