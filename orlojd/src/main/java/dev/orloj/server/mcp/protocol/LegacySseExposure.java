package dev.orloj.server.mcp.protocol;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.catalog.ToolCatalog;

/**
 * Which endpoints are served over HTTP+SSE, too, for agents that know nothing newer.
 *
 * @param everywhere whether orlojd was started so; else it is up to each server
 */
public record LegacySseExposure(boolean everywhere, ToolCatalog catalog) {

    public boolean allows(EndpointScope scope) {
        return switch (scope) {
            case EndpointScope.Namespace _ -> everywhere;
            case EndpointScope.Server(ResourceKey server) ->
                    everywhere || catalog.isOpenToSse(server);
        };
    }

    /**
     * @throws ProtocolError (404) when an endpoint is not
     */
    public void require(EndpointScope scope) {
        if (!allows(scope)) {
            throw ProtocolError.invalidRequest(
                    404,
                    "HTTP+SSE is not served here: \"expose: [sse]\" in the spec of an McpServer, or"
                            + " orlojd --expose-sse, turns it on; newer agents need neither");
        }
    }
}
