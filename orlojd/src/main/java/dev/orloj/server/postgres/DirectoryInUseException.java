package dev.orloj.server.postgres;

/** Another process has a directory for itself; the message says which, and what to do. */
public final class DirectoryInUseException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DirectoryInUseException(String message) {
        super(message);
    }
}
