package dev.orloj.server.authentication;

/** A credential does not count. The message is for the log, and no client gets it. */
public final class InvalidCredentialException extends Exception {

    private static final long serialVersionUID = 1L;

    public InvalidCredentialException(String message) {
        super(message);
    }

    public InvalidCredentialException(String message, Throwable cause) {
        super(message, cause);
    }
}
