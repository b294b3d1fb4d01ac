package dev.orloj.runtime.transport;

import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.ErrorResponse;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Response;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * A request of a server to its client. The receiver responds from any thread without waiting; only
 * the first response counts.
 */
public final class ServerRequest {

    private final Request request;
    private final Consumer<JsonRpcMessage> outlet;
    private final AtomicBoolean answered = new AtomicBoolean();

    /**
     * @param outlet sends the response without waiting
     */
    public ServerRequest(Request request, Consumer<JsonRpcMessage> outlet) {
        this.request = request;
        this.outlet = outlet;
    }

    /** The id that the server chose. */
    public JsonNode id() {
        return request.id();
    }

    public String method() {
        return request.method();
    }

    public @Nullable JsonNode params() {
        return request.params();
    }

    public void answer(JsonNode result) {
        send(new Response(request.id(), result));
    }

    public void refuse(JsonRpcError error) {
        send(new ErrorResponse(request.id(), error));
    }

    /** Responds that the client does not support the request. */
    public void refuse() {
        refuse(
                new JsonRpcError(
                        JsonRpcError.METHOD_NOT_FOUND,
                        "Method \"" + method() + "\" is not supported by this client",
                        null));
    }

    private void send(JsonRpcMessage answer) {
        if (answered.compareAndSet(false, true)) {
            outlet.accept(answer);
        }
    }

    /** Params may be secret. */
    @Override
    public String toString() {
        return "ServerRequest[" + method() + "]";
    }
}
