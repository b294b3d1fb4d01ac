package dev.orloj.server.mcp.elicitation;

import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.server.mcp.protocol.ClientSession;

import tools.jackson.databind.JsonNode;

/** Takes the answers of agents that were asked. Thread-safe. */
@FunctionalInterface
public interface ServerToClientResponses {

    /**
     * The agent of a session answers. What nobody waits for any more is dropped.
     *
     * @param id of what was asked
     */
    void received(ClientSession session, JsonNode id, JsonRpcMessage answer)
            throws InterruptedException;
}
