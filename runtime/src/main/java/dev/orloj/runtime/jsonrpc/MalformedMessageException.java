package dev.orloj.runtime.jsonrpc;

import org.jspecify.annotations.Nullable;

/**
 * The input is not a JSON-RPC message. The exception message contains the error but never the
 * input.
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
