package dev.orloj.server.mcp.elicitation;

import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.server.mcp.protocol.ClientSession;

import tools.jackson.databind.JsonNode;

/** Accepts the responses of clients to requests of servers. Thread-safe. */
@FunctionalInterface
public interface ServerToClientResponses {

    /**
     * Accepts a response of the client of a session; drops one that no request waits for.
     *
     * @param id of the request
     */
    void received(ClientSession session, JsonNode id, JsonRpcMessage answer)
            throws InterruptedException;
}
