package dev.orloj.server.protectedresource;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.server.authentication.Challenge;
import dev.orloj.server.mcp.legacysse.LegacySsePath;
import dev.orloj.server.mcp.protocol.EndpointScope;

import jakarta.servlet.http.HttpServletRequest;

import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The MCP endpoints as protected resources of OAuth. Their URIs come from the configuration and the
 * open port, never from a header of a request. Immutable.
 */
public final class ProtectedResources implements Challenge {

    /** Where the documents are; the path of an endpoint follows. */
    static final String WELL_KNOWN = "/.well-known/oauth-protected-resource";

    private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");

    private final Supplier<String> server;
    private final Supplier<List<String>> issuers;
    private final List<String> scopes;

    /**
     * @param server the URL of the HTTPS port
     * @param issuers the URLs of the authorization servers; empty for none
     * @param scopes that a token has to have for an endpoint
     */
    public ProtectedResources(
            Supplier<String> server, Supplier<List<String>> issuers, List<String> scopes) {
        this.server = server;
        this.issuers = issuers;
        this.scopes = List.copyOf(scopes);
    }

    /** Returns the scopes that a token has to have. */
    List<String> scopes() {
        return scopes;
    }

    /** Returns the URI of the endpoint that a request is for; empty for other requests. */
    public Optional<String> resource(HttpServletRequest request) {
        return endpoint(request.getRequestURI()).map(path -> base() + path);
    }

    private String base() {
        String url = server.get();
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    /** Returns the path of an endpoint without a slash at its end; empty for other paths. */
    private static Optional<String> endpoint(String path) {
        return LegacySsePath.parse(path)
                .map(LegacySsePath::scope)
                .or(() -> EndpointScope.parse(path))
                .flatMap(
                        scope ->
                                switch (scope) {
                                    case EndpointScope.Namespace namespace -> path(namespace, path);
                                    case EndpointScope.Server one -> path(one.server());
                                });
    }

    /** {@code /mcp} and {@code /mcp/default} are two resources that show the same. */
    private static Optional<String> path(EndpointScope.Namespace namespace, String path) {
        boolean isRoot = path.equals(EndpointScope.ROOT) || path.equals(EndpointScope.ROOT + "/");
        return isRoot
                ? Optional.of(EndpointScope.ROOT)
                : Optional.of(namespace.namespace())
                        .filter(NAME.asMatchPredicate())
                        .map(name -> EndpointScope.ROOT + "/" + name);
    }

    private static Optional<String> path(ResourceKey one) {
        return NAME.matcher(one.namespace()).matches() && NAME.matcher(one.name()).matches()
                ? Optional.of(
                        "%s/%s/%s/%s"
                                .formatted(
                                        EndpointScope.ROOT,
                                        one.namespace(),
                                        EndpointScope.SERVERS,
                                        one.name()))
                : Optional.empty();
    }

    /**
     * Returns the document of an endpoint.
     *
     * @param path of the document
     */
    Optional<ObjectNode> document(String path) {
        List<String> authorizationServers = issuers.get();
        if (!path.startsWith(WELL_KNOWN) || authorizationServers.isEmpty()) {
            return Optional.empty();
        }
        return endpoint(path.substring(WELL_KNOWN.length()))
                .map(
                        endpoint -> {
                            ObjectNode document = Json.MAPPER.createObjectNode();
                            document.put("resource", base() + endpoint);
                            authorizationServers.forEach(
                                    document.putArray("authorization_servers")::add);
                            if (!scopes.isEmpty()) {
                                scopes.forEach(document.putArray("scopes_supported")::add);
                            }
                            document.putArray("bearer_methods_supported").add("header");
                            document.put("resource_name", "Orloj " + endpoint);
                            return document;
                        });
    }

    @Override
    public Optional<String> forRequest(HttpServletRequest request, boolean hasToken) {
        String path = request.getRequestURI();
        if (!path.equals(EndpointScope.ROOT) && !path.startsWith(EndpointScope.ROOT + "/")) {
            return Optional.empty();
        }
        String error = hasToken ? "invalid_token" : "";
        return Optional.of(challenge(path, error));
    }

    /** Returns what a client lacks whose token does not permit the use of the endpoint. */
    String insufficientScope(HttpServletRequest request) {
        return challenge(request.getRequestURI(), "insufficient_scope");
    }

    private String challenge(String path, String error) {
        StringBuilder challenge = new StringBuilder("Bearer");
        if (!error.isEmpty()) {
            append(challenge, "error", error);
        }
        if (!issuers.get().isEmpty()) {
            endpoint(path)
                    .ifPresent(
                            endpoint -> append(challenge, "resource_metadata", metadata(endpoint)));
            if (!scopes.isEmpty()) {
                append(challenge, "scope", String.join(" ", scopes));
            }
        }
        return challenge.toString();
    }

    /** The well-known path comes before the path of the resource, if the server has one. */
    private String metadata(String endpoint) {
        URI resource = URI.create(base() + endpoint);
        return "%s://%s%s%s"
                .formatted(
                        resource.getScheme(),
                        resource.getRawAuthority(),
                        WELL_KNOWN,
                        resource.getRawPath());
    }

    private static void append(StringBuilder challenge, String name, String value) {
        challenge
                .append(challenge.indexOf(" ") < 0 ? " " : ", ")
                .append(name)
                .append("=\"")
                .append(value)
                .append('"');
    }
}
