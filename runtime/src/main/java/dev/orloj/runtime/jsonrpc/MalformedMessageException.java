package dev.orloj.runtime.jsonrpc;

import org.jspecify.annotations.Nullable;

/**
 * What was received is no JSON-RPC message. The message says what is wrong with it, never its
 * content.
 */
public final class MalformedMessageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public MalformedMessageException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    MalformedMessageException(String message) {
        this(message, null);
    }
}
