package dev.orloj.runtime.transport;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;

import java.util.function.Consumer;

/** Answers {@code ping} at once and passes other requests of the server on. */
public final class ServerRequests {

    private ServerRequests() {}

    /**
     * @param outlet sends the answer, without waiting
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
