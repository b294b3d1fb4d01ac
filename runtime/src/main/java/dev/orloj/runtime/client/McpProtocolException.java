package dev.orloj.runtime.client;

/**
 * A server answered with something that the protocol does not allow. Asking again does not help.
 */
public final class McpProtocolException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public McpProtocolException(String message) {
        super(message);
    }
}
