package dev.orloj.server.mcp.elicitation;

import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;

import java.util.concurrent.CompletableFuture;

/** A stream to an agent, on which it can be asked something. Thread-safe; nothing waits. */
public interface ServerToClientStream {

    /**
     * Asks the agent something.
     *
     * @param answer fails when the agent is found to be gone
     */
    void ask(Request request, CompletableFuture<JsonRpcMessage> answer);

    /** Tells the agent something. */
    void send(JsonRpcMessage message);
}
