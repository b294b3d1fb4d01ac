package dev.orloj.server.properties;

/**
 * Settings contradict each other or are invalid. The message names them and is sufficient by
 * itself.
 */
public final class InvalidConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public InvalidConfigurationException(String message) {
        super(message);
    }

    public InvalidConfigurationException(String message, Throwable cause) {
        super(message, cause);
    }
}
