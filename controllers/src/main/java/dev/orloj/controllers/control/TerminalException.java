package dev.orloj.controllers.control;

/**
 * A failure that no retry will cure, only a change of the resource. Thrown after the resource says
 * so in a condition.
 */
public final class TerminalException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public TerminalException(String message) {
        super(message);
    }
}
