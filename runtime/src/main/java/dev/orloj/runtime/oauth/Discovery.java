package dev.orloj.runtime.oauth;

import dev.orloj.runtime.network.Origin;
import dev.orloj.runtime.oauth.AuthorizationServer.LoginSupport;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Discovers the authorization server of an MCP server (2026-07-28, Authorization): from the server
 * to its metadata (RFC 9728), and from there to the metadata of its issuer (RFC 8414, OpenID
 * Connect Discovery). Checks that each document belongs to the URL that it was fetched for.
 * Thread-safe.
 */
final class Discovery {

    /**
     * What is known of a server before a token is requested.
     *
     * @param resource the identifier of the server
     * @param scopes that the server supports
     */
    record Plan(AuthorizationServer server, String resource, List<String> scopes) {

        Plan {
            scopes = List.copyOf(scopes);
        }
    }

    /**
     * What a server says about its authorization (RFC 9728).
     *
     * @param resource its identifier, which tokens are requested for
     * @param issuers its authorization servers; empty when it names none
     * @param scopes that it supports
     */
    private record ProtectedResource(String resource, List<String> issuers, List<String> scopes) {

        ProtectedResource {
            issuers = List.copyOf(issuers);
            scopes = List.copyOf(scopes);
        }
    }

    private static final String RESOURCE = "/.well-known/oauth-protected-resource";
    private static final String OAUTH = "/.well-known/oauth-authorization-server";
    private static final String OPENID = "/.well-known/openid-configuration";
    private static final int MAX_ISSUERS = 20;

    private final OAuthHttp http;
    private final URI endpoint;
    private final OAuthSettings settings;

    /**
     * @param endpoint of the MCP server
     */
    Discovery(OAuthHttp http, URI endpoint, OAuthSettings settings) {
        this.http = http;
        this.endpoint = endpoint;
        this.settings = settings;
    }

    /**
     * @throws OAuthException when there is no authorization server that may get a token request
     */
    Plan plan(BearerChallenge challenge) throws OAuthException {
        if (!settings.tokenUrl().isEmpty()) {
            return new Plan(ofManifest(), resourceOr(canonical()), List.of());
        }
        Optional<ProtectedResource> found = resource(challenge);
        AuthorizationServer server = server(issuer(found));
        requireTrusted(server);
        return new Plan(
                server,
                resourceOr(found.map(ProtectedResource::resource).orElseGet(this::canonical)),
                found.map(ProtectedResource::scopes).orElse(List.of()));
    }

    /**
     * Returns the authorization server of a login.
     *
     * @throws OAuthException when it has no metadata, or the login is not for this manifest any
     *     more
     */
    AuthorizationServer server(Login login) throws OAuthException {
        if (!login.parties().endpoint().equals(endpoint)) {
            throw OAuthException.lasting(
                    OAuthFailure.LOGIN_REQUIRED,
                    "the login is for the server at %s, and the manifest now has the endpoint %s; run \"%s\""
                            .formatted(
                                    login.parties().endpoint(), endpoint, settings.loginCommand()));
        }
        AuthorizationServer pinned = settings.tokenUrl().isEmpty() ? null : ofManifest();
        String wanted = pinned == null ? settings.issuer() : pinned.display();
        if (!wanted.isEmpty() && !wanted.equals(login.parties().issuer())) {
            throw OAuthException.lasting(
                    OAuthFailure.LOGIN_REQUIRED,
                    "the login is one at \"%s\", and the manifest now names \"%s\"; run \"%s\""
                            .formatted(login.parties().issuer(), wanted, settings.loginCommand()));
        }
        if (pinned != null) {
            return pinned;
        }
        AuthorizationServer found = server(login.parties().issuer());
        requireTrusted(found);
        return found;
    }

    private AuthorizationServer ofManifest() {
        URI login =
                settings.authorizationUrl().isEmpty()
                        ? null
                        : URI.create(settings.authorizationUrl());
        return new AuthorizationServer(
                settings.issuer(),
                URI.create(settings.tokenUrl()),
                List.of(),
                new LoginSupport(login, null, null, true, false, List.of()));
    }

    private String resourceOr(String otherwise) {
        return settings.resource().isEmpty() ? otherwise : settings.resource();
    }

    /** Returns the canonical URI of the server: without a query, and without a slash at its end. */
    private String canonical() {
        String path = endpoint.getRawPath() == null ? "" : endpoint.getRawPath();
        return Origin.of(endpoint).text()
                + (path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
    }

    /** Returns the metadata of the server. Empty if it has none. */
    private Optional<ProtectedResource> resource(BearerChallenge challenge) throws OAuthException {
        List<URI> candidates = new ArrayList<>();
        if (!challenge.resourceMetadata().isEmpty()) {
            candidates.add(
                    Origin.url(challenge.resourceMetadata())
                            .orElseThrow(
                                    () ->
                                            failed(
                                                    "the server names metadata at an address that"
                                                            + " is no URL of http or https")));
        }
        String root = Origin.of(endpoint).text() + RESOURCE;
        String path = endpoint.getRawPath() == null ? "" : endpoint.getRawPath();
        if (path.length() > 1) {
            candidates.add(URI.create(root + path));
        }
        candidates.add(URI.create(root));
        for (URI candidate : candidates.stream().distinct().toList()) {
            requireEncrypted(candidate, endpoint);
            Optional<ObjectNode> document = http.get(candidate);
            if (document.isPresent()) {
                return Optional.of(resource(candidate, document.get()));
            }
        }
        return Optional.empty();
    }

    private ProtectedResource resource(URI source, ObjectNode document) throws OAuthException {
        String resource = document.path("resource").asString("");
        if (!isOurs(resource)) {
            throw failed(
                    "%s is about \"%s\" and not about %s: the server may be behind a proxy and not know its own URL; correct it there, or set spec.auth.oauth.resource"
                            .formatted(source, Shown.of(resource), canonical()));
        }
        List<String> issuers =
                texts(document.path("authorization_servers")).stream().limit(MAX_ISSUERS).toList();
        return new ProtectedResource(
                resource, issuers, Scopes.valid(texts(document.path("scopes_supported")).stream()));
    }

    /** Returns whether an identifier is that of the endpoint, or of something that contains it. */
    private boolean isOurs(String resource) {
        if (resource.equals(settings.resource()) && !resource.isEmpty()) {
            return true;
        }
        Optional<URI> url = Origin.url(resource);
        if (url.isEmpty() || !Origin.of(url.get()).equals(Origin.of(endpoint))) {
            return false;
        }
        String above = withSlash(url.get().getRawPath());
        return withSlash(endpoint.getRawPath()).startsWith(above);
    }

    private static String withSlash(@Nullable String path) {
        if (path == null || path.isEmpty()) {
            return "/";
        }
        return path.endsWith("/") ? path : path + "/";
    }

    private String issuer(Optional<ProtectedResource> found) throws OAuthException {
        List<String> issuers = found.map(ProtectedResource::issuers).orElse(List.of());
        String wanted = settings.issuer();
        if (wanted.isEmpty()) {
            // Servers of 2025-03-26 are their own authorization server.
            return issuers.isEmpty() ? Origin.of(endpoint).text() : issuers.getFirst();
        }
        if (!issuers.isEmpty() && !issuers.contains(wanted)) {
            throw OAuthException.lasting(
                    OAuthFailure.ISSUER_REFUSED,
                    "the server takes tokens of \"%s\" and not of spec.auth.oauth.issuer \"%s\", to which nothing was sent; correct the field, to the letter"
                            .formatted(Shown.of(issuers.getFirst()), wanted));
        }
        return wanted;
    }

    private AuthorizationServer server(String issuer) throws OAuthException {
        URI identifier =
                Origin.url(issuer)
                        .orElseThrow(
                                () ->
                                        failed(
                                                "the authorization server \"%s\" is no URL of http or https"
                                                        .formatted(Shown.of(issuer))));
        for (URI candidate : candidates(identifier)) {
            requireEncrypted(candidate, pinned(candidate));
            Optional<ObjectNode> document = http.get(candidate);
            if (document.isPresent()) {
                return server(issuer, candidate, document.get());
            }
        }
        if (issuer.equals(Origin.of(endpoint).text())) {
            return ofOrigin(issuer);
        }
        throw failed(
                "the authorization server \"%s\" has no metadata; set spec.auth.oauth.tokenUrl"
                        .formatted(Shown.of(issuer)));
    }

    /**
     * Returns the endpoints of a server that is its own authorization server and has no metadata
     * (2025-03-26, Authorization, "Fallbacks for Servers without Metadata Discovery").
     */
    private static AuthorizationServer ofOrigin(String origin) {
        return new AuthorizationServer(
                origin,
                URI.create(origin + "/token"),
                List.of(),
                new LoginSupport(
                        URI.create(origin + "/authorize"),
                        URI.create(origin + "/register"),
                        null,
                        true,
                        false,
                        List.of()));
    }

    /** Returns where the metadata of an issuer may be, in the order of the specification. */
    private static List<URI> candidates(URI issuer) {
        String origin = Origin.of(issuer).text();
        String path = issuer.getRawPath() == null ? "" : issuer.getRawPath();
        String name = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        return name.isEmpty()
                ? List.of(URI.create(origin + OAUTH), URI.create(origin + OPENID))
                : List.of(
                        URI.create(origin + OAUTH + name),
                        URI.create(origin + OPENID + name),
                        URI.create(origin + name + OPENID));
    }

    private AuthorizationServer server(String issuer, URI source, ObjectNode document)
            throws OAuthException {
        String stated = document.path("issuer").asString("");
        if (!stated.equals(issuer)) {
            throw failed(
                    "the metadata at %s is that of \"%s\" and not of \"%s\", to which nothing was sent"
                            .formatted(source, Shown.of(stated), Shown.of(issuer)));
        }
        URI tokenEndpoint = endpoint(source, document, "token_endpoint");
        if (tokenEndpoint == null) {
            throw failed(
                    "the metadata at %s names no token_endpoint; correct it there"
                            .formatted(source));
        }
        JsonNode methods = document.path("token_endpoint_auth_methods_supported");
        LoginSupport login =
                new LoginSupport(
                        endpoint(source, document, "authorization_endpoint"),
                        endpoint(source, document, "registration_endpoint"),
                        endpoint(source, document, "revocation_endpoint"),
                        texts(document.path("code_challenge_methods_supported")).contains("S256"),
                        document.path("authorization_response_iss_parameter_supported")
                                .asBoolean(false),
                        Scopes.valid(texts(document.path("scopes_supported")).stream()));
        return new AuthorizationServer(issuer, tokenEndpoint, texts(methods), login);
    }

    /** Returns an endpoint of the metadata at this URL. Null if the metadata names none. */
    private @Nullable URI endpoint(URI source, ObjectNode document, String name)
            throws OAuthException {
        String text = document.path(name).asString("");
        if (text.isEmpty()) {
            return null;
        }
        URI endpoint =
                Origin.url(text)
                        .orElseThrow(
                                () ->
                                        failed(
                                                "the metadata at %s names the %s \"%s\", which is no URL of http or https; correct it there"
                                                        .formatted(source, name, Shown.of(text))));
        requireEncrypted(endpoint, pinned(endpoint));
        return endpoint;
    }

    /**
     * Refuses to send the secret of a client to an authorization server that only the MCP server
     * names: a server that was taken over could name one of its own.
     */
    private void requireTrusted(AuthorizationServer server) throws OAuthException {
        if (settings.isPinned() || !settings.client().sendsSecret()) {
            return;
        }
        Origin own = Origin.of(endpoint);
        boolean isOwn =
                Origin.of(URI.create(server.issuer())).equals(own)
                        && Origin.of(server.tokenEndpoint()).equals(own);
        if (!isOwn) {
            throw OAuthException.lasting(
                    OAuthFailure.ISSUER_REFUSED,
                    "the server names the authorization server \"%s\" on another host, to which the client secret was not sent; if the secret is for it, set spec.auth.oauth.issuer: %s"
                            .formatted(server.issuer(), server.issuer()));
        }
    }

    /** Returns the URL of the manifest that permits the origin of a URL, or the URL itself. */
    private URI pinned(URI url) {
        return Origin.url(settings.issuer())
                .filter(issuer -> Origin.of(issuer).equals(Origin.of(url)))
                .orElse(URI.create("https://" + url.getHost()));
    }

    /**
     * @param given a URL of the manifest: if it is not encrypted, others need not be, either
     */
    private static void requireEncrypted(URI url, URI given) throws OAuthException {
        Origin origin = Origin.of(url);
        if (!origin.isEncrypted() && !origin.isLoopback() && Origin.of(given).isEncrypted()) {
            throw failed(
                    "%s is not encrypted; it must be a URL of https, unless the manifest itself names a URL of http there"
                            .formatted(url));
        }
    }

    private static List<String> texts(JsonNode array) {
        return array.valueStream()
                .map(each -> each.asString(""))
                .filter(text -> !text.isEmpty())
                .toList();
    }

    private static OAuthException failed(String message) {
        return OAuthException.lasting(OAuthFailure.DISCOVERY_FAILED, message);
    }
}
