package dev.orloj.server.startup;

/** The server cannot start. The message states the cause and the remedy. */
public final class PreflightException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    PreflightException(String message) {
        super(message);
    }

    PreflightException(String message, Throwable cause) {
        super(message, cause);
    }
}
