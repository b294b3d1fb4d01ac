package dev.orloj.runtime.transport;

/**
 * The server no longer knows the session, or is no longer the one that it was opened with, so it
 * did not process the request. The request may be repeated on a new connection.
 */
public final class SessionExpiredException extends TransportException {

    private static final long serialVersionUID = 1L;

    public SessionExpiredException(String message) {
        super(message, false);
    }
}
