package dev.orloj.server.startup;

/** The server cannot start; the message says why and what to do. */
public final class PreflightException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    PreflightException(String message) {
        super(message);
    }

    PreflightException(String message, Throwable cause) {
        super(message, cause);
    }
}
