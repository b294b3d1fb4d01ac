package dev.orloj.server.rest.server;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.McpServer;
import dev.orloj.controllers.login.LoginSecrets;
import dev.orloj.controllers.login.UserLogins;
import dev.orloj.controllers.login.UserLogins.Logout;
import dev.orloj.controllers.login.UserLogins.Revocation;
import dev.orloj.runtime.oauth.AuthorizationRequest;
import dev.orloj.runtime.oauth.Login;
import dev.orloj.runtime.oauth.OAuthException;
import dev.orloj.server.rest.http.HttpExchange;
import dev.orloj.server.rest.http.MediaTypes;
import dev.orloj.server.rest.http.Responses;
import dev.orloj.server.rest.request.ApiPath;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Serves the login of a user at the authorization server of an MCP server. Tokens are in no
 * response.
 */
@RestController
class AuthorizationEndpoint {

    private static final String AUTHORIZATION =
            "/apis/orloj.dev/v1/namespaces/{namespace}/mcpservers/{name}/authorization";

    private static final int MAX_QUERY = 16 * 1024;

    private final ResourceClient client;
    private final UserLogins logins;
    private final InstantSource clock;

    AuthorizationEndpoint(ResourceClient client, UserLogins logins, InstantSource clock) {
        this.client = client;
        this.logins = logins;
        this.clock = clock;
    }

    @GetMapping(AUTHORIZATION)
    void find(HttpServletRequest request, HttpServletResponse response) throws IOException {
        McpServer server = server(request);
        Responses.json(response, 200, describe(server, logins.find(server)));
    }

    /** Begins a login, or finishes it if the body has the response of the authorization server. */
    @PostMapping(AUTHORIZATION)
    void logIn(HttpServletRequest request, HttpServletResponse response) throws IOException {
        HttpExchange exchange = HttpExchange.of(request, response);
        MediaTypes.requireJson(exchange.accepted());
        McpServer server = server(request);
        JsonNode body = exchange.body().document().root();
        String redirectUri = RedirectUris.require(body.path("redirectUri").asString(""));
        JsonNode query = body.path("query");
        try {
            Responses.json(
                    response,
                    200,
                    query.isMissingNode()
                            ? begin(server, redirectUri)
                            : finish(server, redirectUri, query.asString("")));
        } catch (OAuthException e) {
            throw failure(server, e);
        }
    }

    private ObjectNode begin(McpServer server, String redirectUri) throws OAuthException {
        AuthorizationRequest begun = logins.begin(server, redirectUri);
        ObjectNode answer = describe(server, logins.find(server));
        answer.putObject("request")
                .put("authorizationUrl", begun.url())
                .put("expires", text(begun.expiry()));
        return answer;
    }

    private ObjectNode finish(McpServer server, String redirectUri, String query)
            throws OAuthException {
        if (query.isEmpty() || query.length() > MAX_QUERY) {
            throw ApiException.badRequest(
                    "query: give the query of the URL to which the browser was redirected, of at most %d characters"
                            .formatted(MAX_QUERY));
        }
        return describe(server, Optional.of(logins.finish(server, redirectUri, query)));
    }

    @DeleteMapping(AUTHORIZATION)
    void logOut(HttpServletRequest request, HttpServletResponse response) throws IOException {
        McpServer server = server(request);
        Logout logout = logins.end(server);
        ObjectNode answer = describe(server, Optional.empty());
        answer.put("revocation", text(logout.revocation()));
        if (!logout.message().isEmpty()) {
            answer.withObject("/status").put("message", logout.message());
        }
        Responses.json(response, 200, answer);
    }

    private McpServer server(HttpServletRequest request) {
        ResourceKey key =
                ApiPath.of(request)
                        .map(path -> new ResourceKey(path.namespace(), path.name()))
                        .orElseThrow();
        return client.get(McpServer.KIND, key);
    }

    private static ApiException failure(McpServer server, OAuthException e) {
        String message =
                "mcpservers.orloj.dev \"%s\": %s"
                        .formatted(server.metadata().name(), e.getMessage());
        return new ApiException(
                e.mayPass() ? ErrorReason.SERVICE_UNAVAILABLE : ErrorReason.INVALID, message);
    }

    private ObjectNode describe(McpServer server, Optional<Login> login) {
        ObjectNode answer = Json.MAPPER.createObjectNode();
        answer.put("kind", "McpServerAuthorization").put("apiVersion", McpServer.KIND.apiVersion());
        answer.putObject("metadata")
                .put("namespace", server.metadata().namespace())
                .put("name", server.metadata().name());
        ObjectNode status = answer.putObject("status");
        boolean isValid = login.map(this::isValid).orElse(false);
        status.put("loggedIn", isValid);
        login.ifPresent(found -> describe(found, isValid, server, status));
        status.put("secret", LoginSecrets.key(server).name());
        return answer;
    }

    private boolean isValid(Login login) {
        return !login.isOver()
                && (!login.refreshToken().isEmpty() || clock.instant().isBefore(login.expiry()));
    }

    private static void describe(
            Login login, boolean isValid, McpServer server, ObjectNode status) {
        status.put("issuer", login.parties().issuer());
        String registered = login.parties().client().id();
        status.put(
                "clientId",
                registered.isEmpty() ? LoginSecrets.client(server).clientId() : registered);
        ArrayNode scopes = status.putArray("scopes");
        login.scopes().forEach(scopes::add);
        status.put("since", text(login.since()));
        status.put("expires", text(login.expiry()));
        status.put("renewable", !login.refreshToken().isEmpty());
        if (!isValid) {
            status.put(
                    "message",
                    login.end().isEmpty() ? "the access token has expired" : login.end());
        }
    }

    private static String text(Revocation revocation) {
        return switch (revocation) {
            case REVOKED -> "Revoked";
            case UNSUPPORTED -> "Unsupported";
            case FAILED -> "Failed";
            case NONE -> "None";
        };
    }

    private static String text(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
