package dev.orloj.controllers.control;

/**
 * A failure that may pass by itself, such as a server that does not answer. Thrown after a
 * condition of the resource describes it. The key is retried after a growing backoff.
 */
public final class RetryException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public RetryException(String message, Throwable cause) {
        super(message, cause);
    }
}
