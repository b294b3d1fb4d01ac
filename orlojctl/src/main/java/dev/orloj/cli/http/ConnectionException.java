package dev.orloj.cli.http;

/** The server could not be reached, or the connection broke. */
public final class ConnectionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ConnectionException(String message, Throwable cause) {
        super(message, cause);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
