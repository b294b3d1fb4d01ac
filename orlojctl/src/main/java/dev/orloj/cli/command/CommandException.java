package dev.orloj.cli.command;

/** A command failed. The message is for the user. */
public final class CommandException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int exitCode;

    public CommandException(String message) {
        this(message, ExitCode.FAILED);
    }

    private CommandException(String message, int exitCode) {
        super(message);
        this.exitCode = exitCode;
    }

    /** A goal was not reached in time. */
    public static CommandException timeout(String message) {
        return new CommandException(message, ExitCode.TIMEOUT);
    }

    public int exitCode() {
        return exitCode;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
