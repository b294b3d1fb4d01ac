package dev.orloj.runtime.session.lifecycle;

/**
 * The session does not accept requests, or no longer accepts them. Nothing was sent: request
 * another session.
 */
public final class SessionClosedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public SessionClosedException(String operation, String session, SessionState state) {
        super(
                "Cannot send \""
                        + operation
                        + "\" in session \""
                        + session
                        + "\" in state "
                        + state.label());
    }
}
