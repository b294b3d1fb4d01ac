package dev.orloj.server.mcp.protocol;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.catalog.ToolCatalog;

/**
 * Decides which endpoints are also served over HTTP+SSE, for clients that support nothing newer.
 *
 * @param everywhere whether orlojd was started with the option; otherwise each server decides
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
     * @throws ProtocolError (404) when the endpoint is not served over HTTP+SSE
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
