package dev.orloj.runtime.transport;

import java.time.Duration;

/** A server did not respond in time. The connection may still be healthy. */
public final class RequestTimeoutException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Duration after;
    private final boolean silent;

    public RequestTimeoutException(String method, Duration after) {
        this(method, after, false);
    }

    /**
     * @param silent whether the limit without progress expired, not the total one
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

    /** Whether {@link #after} is the limit without progress, not the total one. */
    public boolean silent() {
        return silent;
    }
}
