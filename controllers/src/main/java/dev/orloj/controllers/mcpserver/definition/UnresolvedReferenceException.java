package dev.orloj.controllers.mcpserver.definition;

/**
 * Thrown when what a manifest needs is not there: a reference cannot be resolved, its value cannot
 * be used, or the engine that a policy requires does not exist.
 */
public final class UnresolvedReferenceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String reason;

    UnresolvedReferenceException(String reason, String message) {
        super(message);
        this.reason = reason;
    }

    /** Returns the reason in CamelCase, as in conditions. */
    public String reason() {
        return reason;
    }
}
