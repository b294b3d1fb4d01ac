package dev.orloj.server.postgres;

/** Another process has locked a directory. The message names the directory and the remedy. */
public final class DirectoryInUseException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DirectoryInUseException(String message) {
        super(message);
    }
}
