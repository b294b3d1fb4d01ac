package dev.orloj.runtime.observation;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.transport.ServerAddress;

import tools.jackson.databind.node.ObjectNode;

/**
 * A request to a server on behalf of a client, just before it is sent.
 *
 * @param session name of the session that sends the request
 * @param protocolVersion the MCP revision of that session
 * @param params the params to send; an observer may add to their {@code _meta} only
 * @param call the call that sends the request; has the JSON-RPC id of the request at its end
 */
public record SentRequest(
        ResourceKey server,
        ServerAddress address,
        String session,
        String protocolVersion,
        String method,
        ObjectNode params,
        CallObservation call) {

    /** Omits the params, which may be secret. */
    @Override
    public String toString() {
        return "SentRequest[server=" + server + ", method=" + method + "]";
    }
}
