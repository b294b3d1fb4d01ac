package dev.orloj.runtime.limit;

import java.time.Duration;

/** A call may not begin now. Has no stack trace, because there may be very many of them. */
public final class LimitReachedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Limit limit;
    private final String why;
    private final String lastFailure;
    private final Duration retryAfter;

    /**
     * @param why the limit with its value, as a part of a sentence
     * @param retryAfter when a retry may succeed
     */
    public LimitReachedException(Limit limit, String why, Duration retryAfter) {
        this(limit, why, "", retryAfter);
    }

    /**
     * @param why the limit with its value, as a part of a sentence
     * @param lastFailure the text of the failure that led to this, which can have the endpoint of
     *     the server; empty for none
     * @param retryAfter when a retry may succeed
     */
    public LimitReachedException(Limit limit, String why, String lastFailure, Duration retryAfter) {
        super(lastFailure.isEmpty() ? why : why + ": " + lastFailure, null, false, false);
        this.limit = limit;
        this.why = why;
        this.lastFailure = lastFailure;
        this.retryAfter = retryAfter;
    }

    public Limit limit() {
        return limit;
    }

    /** Returns the limit with its value, for all clients. */
    public String why() {
        return why;
    }

    /** Returns the rest of the message, which not all clients may read; empty for none. */
    public String lastFailure() {
        return lastFailure;
    }

    public Duration retryAfter() {
        return retryAfter;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
