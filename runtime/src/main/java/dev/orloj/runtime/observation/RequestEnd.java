package dev.orloj.runtime.observation;

import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.transport.RequestTimeoutException;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The end of a request to a server.
 *
 * @param errorType the value of {@code error.type} in OpenTelemetry's conventions for MCP: {@code
 *     tool_error} for a result with {@code isError}, the code of a JSON-RPC error, or {@code
 *     timeout}, {@code cancelled}, {@code connection_lost}; empty without an error
 * @param errorCode code of a JSON-RPC error
 * @param requestId the JSON-RPC id; empty when the request was not sent
 */
public record RequestEnd(String errorType, OptionalInt errorCode, OptionalLong requestId) {

    public static RequestEnd answered(JsonNode result, OptionalLong requestId) {
        boolean toolError = result.path("isError").asBoolean(false);
        return new RequestEnd(toolError ? "tool_error" : "", OptionalInt.empty(), requestId);
    }

    /**
     * @param failure null when the thread was interrupted
     */
    public static RequestEnd failed(@Nullable RuntimeException failure, OptionalLong requestId) {
        return switch (failure) {
            case null -> new RequestEnd("cancelled", OptionalInt.empty(), requestId);
            case JsonRpcException e ->
                    new RequestEnd(
                            Integer.toString(e.error().code()),
                            OptionalInt.of(e.error().code()),
                            requestId);
            case RequestTimeoutException _ ->
                    new RequestEnd("timeout", OptionalInt.empty(), requestId);
            default -> new RequestEnd("connection_lost", OptionalInt.empty(), requestId);
        };
    }
}
