package dev.orloj.api.client;

/**
 * Thrown when a watch ends because it was closed, disconnected, or too slow. A client that resumes
 * it loses no events.
 */
public final class WatchClosedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public WatchClosedException(String message) {
        super(message);
    }
}
