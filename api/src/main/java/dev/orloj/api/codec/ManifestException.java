package dev.orloj.api.codec;

/** Thrown for a manifest that cannot be read. The message names file and line. */
public final class ManifestException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ManifestException(String message) {
        super(message);
    }
}
