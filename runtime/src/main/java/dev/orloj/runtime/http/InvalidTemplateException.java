package dev.orloj.runtime.http;

/** The request of a Tool cannot be made from its manifest. The message names field and remedy. */
public final class InvalidTemplateException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    InvalidTemplateException(String field, String message) {
        super(field + ": " + message);
    }
}
