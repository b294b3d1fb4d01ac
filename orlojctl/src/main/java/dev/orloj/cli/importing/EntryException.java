package dev.orloj.cli.importing;

/** An entry cannot be imported. The message names the field, its value and the remedy. */
public final class EntryException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public EntryException(String message) {
        super(message);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
