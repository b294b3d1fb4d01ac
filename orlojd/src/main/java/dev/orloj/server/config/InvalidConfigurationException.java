package dev.orloj.server.config;

/** Settings that cannot hold together. The message names them, and is all that one needs. */
public final class InvalidConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    InvalidConfigurationException(String message) {
        super(message);
    }

    InvalidConfigurationException(String message, Throwable cause) {
        super(message, cause);
    }
}
