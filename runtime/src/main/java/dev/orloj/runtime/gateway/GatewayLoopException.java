package dev.orloj.runtime.gateway;

import java.util.List;

/** The tools of a server come from the gateway that requests them. */
public final class GatewayLoopException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param own the id of this gateway
     * @param gateways the gateways that the tools pass through
     */
    public GatewayLoopException(String own, List<String> gateways) {
        super(
                "The way to the server leads back to this orlojd, \"%s\", by way of the gateways %s; name the MCP server itself in the spec, or delete this McpServer or the one on the way that names this orlojd"
                        .formatted(own, String.join(", ", gateways)));
    }
}
