package dev.orloj.server.mcp;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.catalog.ToolCatalog;

/**
 * Which endpoints are served over HTTP+SSE, too, for agents that know nothing newer.
 *
 * @param everywhere whether orlojd was started so; else it is up to each server
 */
record SseExposure(boolean everywhere, ToolCatalog catalog) {

    boolean allows(Scope scope) {
        return switch (scope) {
            case Scope.Namespace _ -> everywhere;
            case Scope.Server(ResourceKey server) -> everywhere || catalog.isOpenToSse(server);
        };
    }

    /**
     * @throws ProtocolError (404) when an endpoint is not
     */
    void require(Scope scope) {
        if (!allows(scope)) {
            throw ProtocolError.invalidRequest(
                    404,
                    "HTTP+SSE is not served here: \"expose: [sse]\" in the spec of an McpServer, or"
                            + " orlojd --expose-sse, turns it on; newer agents need neither");
        }
    }
}
