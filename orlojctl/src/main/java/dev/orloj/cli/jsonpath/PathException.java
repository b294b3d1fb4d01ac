package dev.orloj.cli.jsonpath;

/** A template is malformed, or does not fit the document. The message is for the user. */
public final class PathException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    PathException(String message) {
        super(message);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
