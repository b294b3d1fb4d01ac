package dev.orloj.runtime.oauth;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.oauth.ClientAuthentication.Method;

import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.util.List;
import java.util.stream.Stream;

/** Registers Orloj as a client at an authorization server (RFC 7591). */
final class ClientRegistration {

    private static final String NAME = "Orloj";
    private static final int MAX_LENGTH = 4 * 1024;

    private ClientRegistration() {}

    /**
     * @param redirectUri that gets the responses to logins
     * @param scopes that may be requested
     * @throws OAuthException when the authorization server registers no client
     */
    static Login.Client register(
            OAuthHttp http, AuthorizationServer server, String redirectUri, List<String> scopes)
            throws OAuthException {
        URI endpoint = server.login().registrationEndpoint();
        if (endpoint == null) {
            throw failed(server, "does not let clients register themselves");
        }
        OAuthHttp.Answer answer = http.post(endpoint, request(server, redirectUri, scopes));
        ObjectNode body = answer.body();
        if (!answer.isSuccess()) {
            String why = body.path("error_description").asString(body.path("error").asString(""));
            String message =
                    "answers %d to the registration of a client%s"
                            .formatted(
                                    answer.status(),
                                    why.isEmpty() ? "" : ", with \"" + Shown.of(why) + "\"");
            throw answer.mayPass()
                    ? OAuthException.passing(
                            OAuthFailure.DISCOVERY_FAILED,
                            "\"%s\" %s".formatted(server.display(), message),
                            null)
                    : failed(server, message);
        }
        String id = body.path("client_id").asString("");
        String secret = body.path("client_secret").asString("");
        if (id.isEmpty() || id.length() > MAX_LENGTH || secret.length() > MAX_LENGTH) {
            throw failed(server, "registers a client without a usable client_id");
        }
        String otherwise =
                secret.isEmpty() ? Method.NONE.text() : Method.CLIENT_SECRET_BASIC.text();
        return new Login.Client(
                id, secret, body.path("token_endpoint_auth_method").asString(otherwise));
    }

    private static ObjectNode request(
            AuthorizationServer server, String redirectUri, List<String> scopes) {
        ObjectNode request = Json.MAPPER.createObjectNode();
        request.put("client_name", NAME).put("application_type", "native");
        request.putArray("redirect_uris").add(redirectUri);
        request.putArray("grant_types").add("authorization_code").add("refresh_token");
        request.putArray("response_types").add("code");
        request.put("token_endpoint_auth_method", method(server).text());
        if (!scopes.isEmpty()) {
            request.put("scope", String.join(" ", scopes));
        }
        return request;
    }

    /** A public client is enough, because of the proof key. */
    private static Method method(AuthorizationServer server) {
        List<String> names = server.authenticationMethods();
        return Stream.of(Method.NONE, Method.CLIENT_SECRET_BASIC, Method.CLIENT_SECRET_POST)
                .filter(each -> names.contains(each.text()))
                .findFirst()
                .orElse(Method.NONE);
    }

    private static OAuthException failed(AuthorizationServer server, String what) {
        return OAuthException.lasting(
                OAuthFailure.DISCOVERY_FAILED,
                "\"%s\" %s; register a client there, and set spec.auth.oauth.clientId"
                        .formatted(server.display(), what));
    }
}
