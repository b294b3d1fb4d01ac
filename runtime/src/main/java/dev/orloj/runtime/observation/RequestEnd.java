package dev.orloj.runtime.observation;

import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.transport.RequestTimeoutException;

import tools.jackson.databind.JsonNode;

import java.util.OptionalInt;

/**
 * The end of a request, at a front door or to a server.
 *
 * @param errorType the value of {@code error.type} in OpenTelemetry's conventions for MCP: {@code
 *     tool_error} for a result with {@code isError}, the code of the error, {@code timeout}, {@code
 *     cancelled}, {@code connection_lost}, or {@code _OTHER}; empty without an error
 * @param errorCode code of the JSON-RPC error, or status of the HTTP response
 */
public record RequestEnd(String errorType, OptionalInt errorCode) {

    /** The thread of the request was interrupted. */
    public static final RequestEnd CANCELLED = of("cancelled");

    /** An unexpected failure. */
    public static final RequestEnd OTHER = of("_OTHER");

    private static final RequestEnd RESULT = of("");
    private static final RequestEnd TOOL_ERROR = of("tool_error");
    private static final RequestEnd TIMEOUT = of("timeout");
    private static final RequestEnd CONNECTION_LOST = of("connection_lost");

    private static RequestEnd of(String errorType) {
        return new RequestEnd(errorType, OptionalInt.empty());
    }

    public static RequestEnd answered(JsonNode result) {
        return result.path("isError").asBoolean(false) ? TOOL_ERROR : RESULT;
    }

    /** Returns the end with an error code, which is also the type of the error. */
    public static RequestEnd failed(int code) {
        return new RequestEnd(Integer.toString(code), OptionalInt.of(code));
    }

    /** Returns the end of a request to a server. */
    public static RequestEnd failed(RuntimeException failure) {
        return switch (failure) {
            case JsonRpcException e -> failed(e.error().code());
            case RequestTimeoutException _ -> TIMEOUT;
            default -> CONNECTION_LOST;
        };
    }

    /** Returns whether there is a result, which may be the error of a tool. */
    public boolean hasResult() {
        return equals(RESULT) || equals(TOOL_ERROR);
    }
}
