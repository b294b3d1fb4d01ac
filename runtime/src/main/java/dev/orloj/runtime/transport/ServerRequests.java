package dev.orloj.runtime.transport;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;

import java.util.function.Consumer;

/** Responds to {@code ping} at once and forwards other requests of the server. */
public final class ServerRequests {

    private ServerRequests() {}

    /**
     * @param outlet sends the response without waiting
     */
    public static void take(
            Request request, Consumer<JsonRpcMessage> outlet, Consumer<ServerRequest> listener) {
        ServerRequest asked = new ServerRequest(request, outlet);
        if (request.method().equals("ping")) {
            asked.answer(Json.MAPPER.createObjectNode());
        } else {
            listener.accept(asked);
        }
    }
}
