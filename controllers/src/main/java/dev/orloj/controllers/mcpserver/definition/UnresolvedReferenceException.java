package dev.orloj.controllers.mcpserver.definition;

/** A reference to a Secret that leads nowhere, or to a value that cannot be used. */
public final class UnresolvedReferenceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String reason;

    UnresolvedReferenceException(String reason, String message) {
        super(message);
        this.reason = reason;
    }

    /** In CamelCase, as conditions have it. */
    public String reason() {
        return reason;
    }
}
