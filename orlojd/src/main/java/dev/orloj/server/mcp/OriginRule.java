package dev.orloj.server.mcp;

import dev.orloj.server.security.LoopbackGuard;

import jakarta.servlet.http.HttpServletRequest;

import java.util.Set;

/**
 * Which web pages may talk to the MCP endpoints: those of this machine and those that were allowed.
 * Agents that are no web pages send no Origin.
 *
 * @param allowed such as {@code https://agents.example.com}
 */
record OriginRule(Set<String> allowed) {

    OriginRule {
        allowed = Set.copyOf(allowed);
    }

    /**
     * @throws ProtocolError (403) when the request comes from another page
     */
    void check(HttpServletRequest request) {
        String origin = request.getHeader("Origin");
        if (origin != null
                && !allowed.contains(origin)
                && !LoopbackGuard.isLoopbackOrigin(origin)) {
            throw ProtocolError.invalidRequest(
                    403,
                    "Requests from the web page \"%s\" are refused; orloj.mcp.allowed-origins lets pages in"
                            .formatted(origin));
        }
    }
}
