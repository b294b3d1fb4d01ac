package dev.orloj.api.client;

/** A watch ended: closed, cut off, or too slow. Nothing is lost for who resumes it. */
public final class WatchClosedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public WatchClosedException(String message) {
        super(message);
    }

    public WatchClosedException(String message, Throwable cause) {
        super(message, cause);
    }
}
