package dev.orloj.runtime.observation;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.transport.ServerAddress;

import tools.jackson.databind.node.ObjectNode;

/**
 * A request on behalf of somebody else, just before it is sent.
 *
 * @param session name of the session that takes it
 * @param protocolVersion the MCP revision of that session
 * @param params what will be sent; an observer may add to their {@code _meta}, and to nothing else
 */
public record ObservedRequest(
        ResourceKey server,
        ServerAddress address,
        String session,
        String protocolVersion,
        String method,
        ObjectNode params) {

    /** Params may be secret. */
    @Override
    public String toString() {
        return "ObservedRequest[server=" + server + ", method=" + method + "]";
    }
}
