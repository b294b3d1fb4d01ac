package dev.orloj.runtime.oauth;

import dev.orloj.runtime.oauth.ClientAuthentication.Method;

import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.NameValuePair;
import org.apache.hc.core5.http.message.BasicNameValuePair;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Requests tokens (RFC 6749, 5). Thread-safe. */
final class TokenEndpoint {

    /**
     * A response with a token.
     *
     * @param lifetime of the access token; a usual one when the server does not say
     * @param refreshToken empty without one
     * @param scopes that the token has; empty when the server does not say
     */
    record Granted(
            String accessToken, Duration lifetime, String refreshToken, List<String> scopes) {

        @Override
        public String toString() {
            return "Granted[lifetime=" + lifetime + "]";
        }
    }

    private static final Duration USUAL_LIFETIME = Duration.ofHours(1);
    private static final Duration LONGEST_LIFETIME = Duration.ofDays(1);

    /** A header holds the token. */
    private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7e]{1,16384}");

    private static final Set<String> SECRET_PARAMETERS =
            Set.of("code", "code_verifier", "refresh_token", "client_assertion", "subject_token");

    private static final int NOT_FOUND = 404;
    private static final Pattern ERROR = Pattern.compile("[a-z_]{1,64}");

    private final OAuthHttp http;
    private final ClientAuthentication client;
    private final InstantSource clock;

    TokenEndpoint(OAuthHttp http, ClientAuthentication client, InstantSource clock) {
        this.http = http;
        this.client = client;
        this.clock = clock;
    }

    /**
     * @param parameters of the grant
     * @throws OAuthException when there is no token, with the reason that the server gives
     */
    Granted request(AuthorizationServer server, Map<String, String> parameters)
            throws OAuthException {
        List<NameValuePair> form = new ArrayList<>();
        parameters.forEach((name, value) -> form.add(new BasicNameValuePair(name, value)));
        Map<String, String> headers = new HashMap<>();
        authenticate(server, form, headers);
        OAuthHttp.Answer answer = http.post(server.tokenEndpoint(), form, headers);
        if (!answer.isSuccess()) {
            throw refused(server, answer, form);
        }
        return granted(server, answer.body());
    }

    /**
     * Revokes a token (RFC 7009).
     *
     * @param kind of the token
     * @throws OAuthException when the server does not revoke it
     */
    void revoke(AuthorizationServer server, URI endpoint, String token, String kind)
            throws OAuthException {
        List<NameValuePair> form = new ArrayList<>();
        form.add(new BasicNameValuePair("token", token));
        form.add(new BasicNameValuePair("token_type_hint", kind));
        Map<String, String> headers = new HashMap<>();
        authenticate(server, form, headers);
        OAuthHttp.Answer answer = http.post(endpoint, form, headers);
        if (!answer.isSuccess()) {
            throw OAuthException.refused(
                    "\"%s\" does not revoke the token: HTTP %d"
                            .formatted(server.display(), answer.status()),
                    "",
                    answer.mayPass());
        }
    }

    private void authenticate(
            AuthorizationServer server, List<NameValuePair> form, Map<String, String> headers)
            throws OAuthException {
        switch (method(server)) {
            case CLIENT_SECRET_BASIC -> headers.put(HttpHeaders.AUTHORIZATION, basic());
            case CLIENT_SECRET_POST -> {
                form.add(new BasicNameValuePair("client_id", client.clientId()));
                form.add(new BasicNameValuePair("client_secret", client.secret()));
            }
            case PRIVATE_KEY_JWT -> {
                Instant now = clock.instant();
                String key = String.valueOf(client.privateKey());
                form.add(new BasicNameValuePair("client_assertion_type", ClientAssertion.TYPE));
                form.add(
                        new BasicNameValuePair(
                                "client_assertion",
                                ClientAssertion.sign(
                                        client.clientId(), key, server.display(), now)));
            }
            case NONE -> form.add(new BasicNameValuePair("client_id", client.clientId()));
        }
    }

    /**
     * A client without a credential has no other method than none, so that one need not be in the
     * metadata: Keycloak, for example, leaves it out and serves public clients.
     */
    private Method method(AuthorizationServer server) throws OAuthException {
        List<String> names =
                server.authenticationMethods().isEmpty()
                        ? Stream.of(Method.values()).map(Method::text).toList()
                        : server.authenticationMethods();
        return Stream.of(Method.values())
                .filter(client::allows)
                .filter(
                        each ->
                                each == Method.NONE
                                        || each == client.method()
                                        || names.contains(each.text()))
                .findFirst()
                .orElseThrow(
                        () ->
                                OAuthException.lasting(
                                        OAuthFailure.TOKEN_FAILED,
                                        "\"%s\" authenticates clients by %s only, for which the manifest has no credential; set spec.auth.oauth.clientSecretRef or privateKeyRef"
                                                .formatted(
                                                        server.display(),
                                                        Shown.of(String.join(", ", names)))));
    }

    /** Encodes both parts as a form does (RFC 6749, 2.3.1). */
    private String basic() {
        String pair = encoded(client.clientId()) + ":" + encoded(String.valueOf(client.secret()));
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private Granted granted(AuthorizationServer server, ObjectNode body) throws OAuthException {
        String token = body.path("access_token").asString("");
        String type = body.path("token_type").asString("");
        if (!TOKEN.matcher(token).matches() || !type.equalsIgnoreCase("Bearer")) {
            throw OAuthException.lasting(
                    OAuthFailure.TOKEN_FAILED,
                    "\"%s\" answers without an access_token of token_type Bearer"
                            .formatted(server.display()));
        }
        return new Granted(
                token,
                lifetime(body.path("expires_in")),
                body.path("refresh_token").asString(""),
                Scopes.parse(body.path("scope").asString("")));
    }

    /** Accepts numbers in quotes too, which some servers send. */
    private static Duration lifetime(JsonNode seconds) {
        long given = seconds.asLong(USUAL_LIFETIME.toSeconds());
        return Duration.ofSeconds(Math.clamp(given, 1, LONGEST_LIFETIME.toSeconds()));
    }

    private OAuthException refused(
            AuthorizationServer server, OAuthHttp.Answer answer, List<NameValuePair> form) {
        String given = answer.body().path("error").asString("");
        String error = ERROR.matcher(given).matches() ? given : "";
        String description = answer.body().path("error_description").asString("");
        String message =
                "\"%s\" gives no token: HTTP %d%s%s%s"
                        .formatted(
                                server.display(),
                                answer.status(),
                                error.isEmpty() ? "" : " " + error,
                                description.isEmpty()
                                        ? ""
                                        : ": \"" + Shown.of(redacted(description, form)) + "\"",
                                remedy(answer.status(), error));
        return OAuthException.refused(message, error, answer.mayPass());
    }

    private static String remedy(int status, String error) {
        if (status == NOT_FOUND) {
            return "; set spec.auth.oauth.tokenUrl if its token endpoint is elsewhere";
        }
        return switch (error) {
            case "invalid_client" ->
                    "; check clientId and clientSecretRef or privateKeyRef in spec.auth.oauth";
            case "invalid_scope" -> "; check spec.auth.oauth.scopes and what the client may have";
            case "invalid_grant" -> "; log in again";
            case "invalid_target" -> "; check spec.auth.oauth.resource";
            // Keycloak gives this error for a wrong or missing credential, too.
            case "unauthorized_client" ->
                    "; check clientId and clientSecretRef or privateKeyRef in spec.auth.oauth, and"
                            + " allow the client this grant at the authorization server";
            case "unsupported_grant_type" ->
                    "; allow the client this grant at the authorization server";
            default -> "";
        };
    }

    /** Removes what the server may repeat of the request. */
    private String redacted(String text, List<NameValuePair> form) {
        String redacted = text;
        for (NameValuePair sent : form) {
            if (SECRET_PARAMETERS.contains(sent.getName())) {
                redacted = redacted.replace(sent.getValue(), "***");
            }
        }
        String secret = client.secret();
        return secret == null || secret.isEmpty() ? redacted : redacted.replace(secret, "***");
    }
}
