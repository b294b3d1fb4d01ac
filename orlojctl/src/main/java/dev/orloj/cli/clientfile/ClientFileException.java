package dev.orloj.cli.clientfile;

/** A file of a client cannot be read or changed. The message names the file and the remedy. */
public final class ClientFileException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ClientFileException(String message) {
        super(message);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
