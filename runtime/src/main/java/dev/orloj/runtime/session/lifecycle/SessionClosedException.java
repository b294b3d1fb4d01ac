package dev.orloj.runtime.session.lifecycle;

/** The session takes no requests, or none any more. Nothing was sent: ask for another session. */
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
