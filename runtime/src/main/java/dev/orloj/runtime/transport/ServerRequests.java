package dev.orloj.runtime.transport;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.ErrorResponse;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Response;

/**
 * Answers what servers ask their client: no capability is declared, so only {@code ping} is served.
 */
final class ServerRequests {

    private ServerRequests() {}

    static JsonRpcMessage answer(Request request) {
        if (request.method().equals("ping")) {
            return new Response(request.id(), Json.MAPPER.createObjectNode());
        }
        return new ErrorResponse(
                request.id(),
                new JsonRpcError(
                        JsonRpcError.METHOD_NOT_FOUND,
                        "Method \"" + request.method() + "\" is not supported by this client",
                        null));
    }
}
