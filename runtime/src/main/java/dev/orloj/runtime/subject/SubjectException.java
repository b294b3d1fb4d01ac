package dev.orloj.runtime.subject;

import org.jspecify.annotations.Nullable;

/**
 * orlojd cannot send a request on behalf of its user. The server did not cause this, and the
 * requests of other users are not affected. The message has the cause and the remedy.
 */
public final class SubjectException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String why;
    private final String detail;

    public SubjectException(String message) {
        this(message, "", null);
    }

    /**
     * @param why for the user
     * @param detail the rest, which can have the endpoint of the server: only for users who may
     *     read the server; empty for nothing
     */
    public SubjectException(String why, String detail, @Nullable Throwable cause) {
        super(detail.isEmpty() ? why : why + ": " + detail, cause);
        this.why = why;
        this.detail = detail;
    }

    /** Returns the message for the user. */
    public String why() {
        return why;
    }

    /** Returns the rest of the message, which not all users may read; empty for nothing. */
    public String detail() {
        return detail;
    }
}
