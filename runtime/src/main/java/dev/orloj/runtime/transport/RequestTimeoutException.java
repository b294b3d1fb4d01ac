package dev.orloj.runtime.transport;

import java.time.Duration;

/** A server did not answer in time. The connection itself may be in good health. */
public final class RequestTimeoutException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Duration after;
    private final boolean silent;

    public RequestTimeoutException(String method, Duration after) {
        this(method, after, false);
    }

    /**
     * @param silent whether there was time left, had the server only shown some progress
     */
    public RequestTimeoutException(String method, Duration after, boolean silent) {
        super(
                "No answer to \"%s\"%s within %d ms"
                        .formatted(method, silent ? " and no progress" : "", after.toMillis()));
        this.after = after;
        this.silent = silent;
    }

    public Duration after() {
        return after;
    }

    /** Whether {@link #after} is the time without progress, not the time in all. */
    public boolean silent() {
        return silent;
    }
}
