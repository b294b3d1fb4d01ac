package dev.orloj.runtime.jsonrpc;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/**
 * One JSON-RPC 2.0 message. {@code params}, {@code result} and {@code data} are the trees that were
 * received.
 */
public sealed interface JsonRpcMessage {

    /** Requires a response with the same {@code id}, a string or a number. */
    record Request(JsonNode id, String method, @Nullable JsonNode params)
            implements JsonRpcMessage {}

    record Notification(String method, @Nullable JsonNode params) implements JsonRpcMessage {}

    record Response(JsonNode id, JsonNode result) implements JsonRpcMessage {}

    /** {@code id} is null when the peer could not determine the request. */
    record ErrorResponse(@Nullable JsonNode id, JsonRpcError error) implements JsonRpcMessage {}
}
