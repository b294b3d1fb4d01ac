package dev.orloj.controllers.control;

/**
 * A failure that may pass by itself, such as a server that does not answer. Thrown after the
 * resource says so in a condition; tried again after a backoff that grows.
 */
public final class RetryException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public RetryException(String message, Throwable cause) {
        super(message, cause);
    }
}
