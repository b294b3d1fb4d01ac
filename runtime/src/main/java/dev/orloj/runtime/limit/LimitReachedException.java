package dev.orloj.runtime.limit;

import java.time.Duration;

/** A call may not begin now. Has no stack trace, because there may be very many of them. */
public final class LimitReachedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Limit limit;
    private final Duration retryAfter;

    /**
     * @param why the limit with its value, as a part of a sentence
     * @param retryAfter when a retry may succeed
     */
    public LimitReachedException(Limit limit, String why, Duration retryAfter) {
        super(why, null, false, false);
        this.limit = limit;
        this.retryAfter = retryAfter;
    }

    public Limit limit() {
        return limit;
    }

    public Duration retryAfter() {
        return retryAfter;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
