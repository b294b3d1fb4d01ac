package dev.orloj.server.mcp;

import dev.orloj.runtime.jsonrpc.JsonRpcMessage;

import tools.jackson.databind.JsonNode;

/** Takes the answers of agents that were asked. Thread-safe. */
@FunctionalInterface
interface ClientAnswers {

    /**
     * The agent of a session answers. What nobody waits for any more is dropped.
     *
     * @param id of what was asked
     */
    void received(ClientSession session, JsonNode id, JsonRpcMessage answer)
            throws InterruptedException;
}
