package dev.orloj.server.protectedresource;

import dev.orloj.api.ErrorReason;
import dev.orloj.api.Status;
import dev.orloj.api.codec.Json;
import dev.orloj.server.mcp.protocol.EndpointScope;
import dev.orloj.server.oidc.JwtAuthenticator;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Asks for scopes that a token of an external issuer lacks for an MCP endpoint. A client then gets
 * another token; for a right that the user lacks, none would help, so that is another answer.
 */
public final class ScopeFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;

    private final transient ProtectedResources resources;

    public ScopeFilter(ProtectedResources resources) {
        this.resources = resources;
    }

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        List<String> missing =
                isEndpoint(request.getRequestURI())
                        ? missing(JwtAuthenticator.scopes(request))
                        : List.of();
        if (missing.isEmpty()) {
            chain.doFilter(request, response);
            return;
        }
        response.setHeader("WWW-Authenticate", resources.insufficientScope(request));
        Status status =
                Status.failure(
                        ErrorReason.FORBIDDEN,
                        "the token lacks the scope " + String.join(", ", missing),
                        null);
        response.setStatus(status.code());
        response.setContentType("application/json");
        response.getOutputStream().write(Json.MAPPER.writeValueAsBytes(status));
    }

    private static boolean isEndpoint(String path) {
        return path.equals(EndpointScope.ROOT) || path.startsWith(EndpointScope.ROOT + "/");
    }

    /** Other credentials than tokens of issuers have no scopes and need none. */
    private List<String> missing(Optional<Set<String>> scopes) {
        List<String> missing = new ArrayList<>();
        scopes.ifPresent(
                own ->
                        resources.scopes().stream()
                                .filter(scope -> !own.contains(scope))
                                .forEach(missing::add));
        return missing;
    }
}
