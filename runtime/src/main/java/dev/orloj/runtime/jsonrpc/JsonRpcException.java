package dev.orloj.runtime.jsonrpc;

/** The peer responded to the request with an error. */
public final class JsonRpcException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient JsonRpcError error;

    public JsonRpcException(JsonRpcError error) {
        super("Server answered with error " + error.code() + ": \"" + error.message() + "\"");
        this.error = error;
    }

    public JsonRpcError error() {
        return error;
    }
}
