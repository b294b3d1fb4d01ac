package dev.orloj.cli.command;

/** A command failed. The message is for the user. */
public final class CommandException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public CommandException(String message) {
        super(message);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
