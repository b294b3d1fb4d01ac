package dev.orloj.api.codec;

/**
 * Bytes that are no document: broken syntax, no object, or something that is refused on purpose.
 */
public final class MalformedDocumentException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int line;

    public MalformedDocumentException(String message, int line) {
        super(message);
        this.line = line;
    }

    /** Where, counted from 1. */
    public int line() {
        return line;
    }
}
