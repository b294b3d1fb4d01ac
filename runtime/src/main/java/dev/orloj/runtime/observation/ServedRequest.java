package dev.orloj.runtime.observation;

import dev.orloj.api.ResourceKey;

import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;

/** A request of a client at a front door. */
public sealed interface ServedRequest {

    /**
     * Returns the params that are sent to servers. An observer may add to their {@code _meta} only.
     */
    ObjectNode params();

    /**
     * A request of an MCP client.
     *
     * @param session the name of its session, which grants no access; empty in revisions without
     *     sessions
     * @param id the JSON-RPC id
     * @param server empty when the endpoint serves a namespace
     */
    record Mcp(
            String method,
            String protocolVersion,
            Optional<String> session,
            String id,
            String namespace,
            Optional<String> server,
            ObjectNode params)
            implements ServedRequest {

        /** Omits the params, which may be secret. */
        @Override
        public String toString() {
            return "Mcp[method=" + method + ", namespace=" + namespace + "]";
        }
    }

    /**
     * A tool call over REST.
     *
     * @param params everything except name and arguments
     */
    record ToolCall(ResourceKey tool, ObjectNode params) implements ServedRequest {

        /** Omits the params, which may be secret. */
        @Override
        public String toString() {
            return "ToolCall[tool=" + tool + "]";
        }
    }
}
