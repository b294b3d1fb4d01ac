package dev.orloj.server.telemetry;

import dev.orloj.api.ResourceKey;

import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;

/** A request to orlojd that is about to be answered. */
public sealed interface ServedRequest {

    /** What servers get of it; a listener may add to their {@code _meta}, and to nothing else. */
    ObjectNode params();

    /**
     * Of an agent.
     *
     * @param session its name, which opens nothing; empty in revisions without sessions
     * @param id of JSON-RPC
     * @param server empty when the endpoint shows a namespace
     */
    record Agent(
            String method,
            String protocolVersion,
            Optional<String> session,
            String id,
            String namespace,
            Optional<String> server,
            ObjectNode params)
            implements ServedRequest {

        /** Params may be secret. */
        @Override
        public String toString() {
            return "Agent[method=" + method + ", namespace=" + namespace + "]";
        }
    }

    /**
     * A call of a tool over REST.
     *
     * @param params all but name and arguments
     */
    record ToolCall(ResourceKey tool, ObjectNode params) implements ServedRequest {

        /** Params may be secret. */
        @Override
        public String toString() {
            return "ToolCall[tool=" + tool + "]";
        }
    }
}
