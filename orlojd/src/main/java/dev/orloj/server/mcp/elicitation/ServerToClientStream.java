package dev.orloj.server.mcp.elicitation;

import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;

import java.util.concurrent.CompletableFuture;

/** A stream to a client that carries requests and notifications. Thread-safe; no method waits. */
public interface ServerToClientStream {

    /**
     * Sends a request to the client.
     *
     * @param answer fails when the client is gone
     */
    void ask(Request request, CompletableFuture<JsonRpcMessage> answer);

    /** Sends a message to the client. */
    void send(JsonRpcMessage message);
}
