package dev.orloj.api.codec;

/** A manifest that cannot be read; the message names file and line. */
public final class ManifestException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ManifestException(String message) {
        super(message);
    }
}
