package dev.orloj.runtime.subject;

/**
 * orlojd cannot send a request on behalf of its user. The server did not cause this, and the
 * requests of other users are not affected. The message has the cause and the remedy.
 */
public final class SubjectException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public SubjectException(String message) {
        super(message);
    }

    public SubjectException(String message, Throwable cause) {
        super(message, cause);
    }
}
