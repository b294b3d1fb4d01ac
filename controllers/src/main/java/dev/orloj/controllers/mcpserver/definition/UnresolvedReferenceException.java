package dev.orloj.controllers.mcpserver.definition;

/** Thrown when a reference to a Secret cannot be resolved or its value cannot be used. */
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
