package dev.orloj.server.protectedresource;

import dev.orloj.api.ErrorReason;
import dev.orloj.server.mcp.protocol.EndpointScope;
import dev.orloj.server.oidc.JwtAuthenticator;
import dev.orloj.server.security.Refusals;
import dev.orloj.server.security.RequestGuard;

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
public final class ScopeGuard implements RequestGuard {

    private final ProtectedResources resources;

    public ScopeGuard(ProtectedResources resources) {
        this.resources = resources;
    }

    @Override
    public boolean admits(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        List<String> missing =
                isEndpoint(request.getRequestURI())
                        ? missing(JwtAuthenticator.scopes(request))
                        : List.of();
        if (missing.isEmpty()) {
            return true;
        }
        response.setHeader("WWW-Authenticate", resources.insufficientScope(request));
        Refusals.send(
                response,
                ErrorReason.FORBIDDEN,
                "the token lacks the scope " + String.join(", ", missing));
        return false;
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
