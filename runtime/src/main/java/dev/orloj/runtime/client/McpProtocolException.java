package dev.orloj.runtime.client;

/** A server violated the protocol. A retry does not help. */
public final class McpProtocolException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public McpProtocolException(String message) {
        super(message);
    }
}
