package dev.orloj.runtime.http;

/**
 * The manifest of a Tool does not describe a valid request. The message names the field and the
 * remedy.
 */
public final class InvalidTemplateException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    InvalidTemplateException(String field, String message) {
        super(field + ": " + message);
    }
}
