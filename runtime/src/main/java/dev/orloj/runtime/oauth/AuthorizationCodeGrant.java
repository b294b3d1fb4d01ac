package dev.orloj.runtime.oauth;

import dev.orloj.api.oauth.LoginUrl;
import dev.orloj.api.signature.Sha256;
import dev.orloj.runtime.network.EndpointAddresses;
import dev.orloj.runtime.oauth.AuthorizationServer.LoginSupport;

import org.apache.hc.core5.http.NameValuePair;
import org.apache.hc.core5.http.message.BasicNameValuePair;
import org.apache.hc.core5.net.URIBuilder;
import org.apache.hc.core5.net.WWWFormCodec;
import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Logs users in at the authorization servers of MCP servers (RFC 6749, 4.1, with PKCE). Keeps
 * nothing between the two halves of a login. Thread-safe.
 */
public final class AuthorizationCodeGrant implements AutoCloseable {

    private static final Duration TIME_TO_LOG_IN = Duration.ofMinutes(10);
    private static final String OFFLINE_ACCESS = "offline_access";
    private static final int RANDOM_BYTES = 32;

    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("orloj-login-timer").factory());

    private final OAuthHttp http;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();

    /**
     * @param endpoints the addresses that may be reached
     */
    public AuthorizationCodeGrant(EndpointAddresses endpoints, InstantSource clock) {
        this.http = new OAuthHttp(endpoints, timer);
        this.clock = clock;
    }

    /**
     * Begins a login.
     *
     * @param endpoint of the MCP server
     * @param earlier request at the same server, whose client is used again if it fits
     * @param redirectUri gets the response
     * @throws OAuthException when users cannot log in there
     */
    public AuthorizationRequest begin(
            URI endpoint,
            OAuthSettings settings,
            Optional<AuthorizationRequest> earlier,
            String redirectUri)
            throws OAuthException {
        BearerChallenge challenge = http.challenge(endpoint);
        Discovery.Plan plan = new Discovery(http, endpoint, settings).plan(challenge);
        AuthorizationServer server = plan.server();
        URI authorizationEndpoint = authorizationEndpoint(server);
        List<String> scopes = scopes(settings, challenge, plan);
        Login.Client client = client(settings, server, earlier, redirectUri, scopes);
        String id = client.id().isEmpty() ? settings.client().clientId() : client.id();
        String state = random();
        String verifier = random();
        List<NameValuePair> parameters = new ArrayList<>();
        parameters.add(new BasicNameValuePair("response_type", "code"));
        parameters.add(new BasicNameValuePair("client_id", id));
        parameters.add(new BasicNameValuePair("redirect_uri", redirectUri));
        parameters.add(new BasicNameValuePair("state", state));
        parameters.add(new BasicNameValuePair("code_challenge", challenge(verifier)));
        parameters.add(new BasicNameValuePair("code_challenge_method", "S256"));
        parameters.add(new BasicNameValuePair("resource", plan.resource()));
        if (!scopes.isEmpty()) {
            parameters.add(new BasicNameValuePair("scope", String.join(" ", scopes)));
        }
        return new AuthorizationRequest(
                state,
                verifier,
                redirectUri,
                clock.instant().plus(TIME_TO_LOG_IN),
                new URIBuilder(authorizationEndpoint).addParameters(parameters).toString(),
                server.login().namesItself(),
                new Login.Parties(endpoint, server.display(), client, plan.resource()),
                scopes);
    }

    private static URI authorizationEndpoint(AuthorizationServer server) throws OAuthException {
        LoginSupport login = server.login();
        URI endpoint = login.authorizationEndpoint();
        if (endpoint == null) {
            throw failed(
                    "\"%s\" names no authorization_endpoint, so no user can log in there; use grantType: client_credentials, or correct its metadata"
                            .formatted(server.display()));
        }
        if (LoginUrl.of(endpoint.toString()).isEmpty()) {
            throw failed(
                    "\"%s\" names the authorization_endpoint \"%s\", which has characters that are special in a shell, and that a browser does not need; correct its metadata, or spec.auth.oauth.authorizationUrl"
                            .formatted(server.display(), Shown.of(endpoint.toString())));
        }
        if (!login.hasProofKeys()) {
            throw failed(
                    "\"%s\" does not say that it supports PKCE with S256 (code_challenge_methods_supported), without which a login is not safe; if it does, set authorizationUrl and tokenUrl in spec.auth.oauth"
                            .formatted(server.display()));
        }
        return endpoint;
    }

    /** Requests a refresh token, too, from a server that has a scope for it. */
    private static List<String> scopes(
            OAuthSettings settings, BearerChallenge challenge, Discovery.Plan plan) {
        if (!settings.scopes().isEmpty()) {
            return settings.scopes();
        }
        List<String> scopes = challenge.scopes().isEmpty() ? plan.scopes() : challenge.scopes();
        return plan.server().login().scopes().contains(OFFLINE_ACCESS)
                ? Scopes.union(scopes, List.of(OFFLINE_ACCESS))
                : scopes;
    }

    private Login.Client client(
            OAuthSettings settings,
            AuthorizationServer server,
            Optional<AuthorizationRequest> earlier,
            String redirectUri,
            List<String> scopes)
            throws OAuthException {
        if (!settings.client().clientId().isEmpty()) {
            return Login.Client.NONE;
        }
        Optional<Login.Client> registered =
                earlier.filter(request -> request.redirectUri().equals(redirectUri))
                        .filter(request -> request.scopes().equals(scopes))
                        .map(AuthorizationRequest::parties)
                        .filter(parties -> parties.issuer().equals(server.display()))
                        .map(Login.Parties::client)
                        .filter(client -> !client.id().isEmpty());
        return registered.isPresent()
                ? registered.get()
                : ClientRegistration.register(http, server, redirectUri, scopes);
    }

    /**
     * Finishes a login.
     *
     * @param query of the URL to which the browser was redirected
     * @throws OAuthException when the response is not that of the request, or the authorization
     *     server gives no token
     */
    public Login finish(
            URI endpoint, OAuthSettings settings, AuthorizationRequest request, String query)
            throws OAuthException {
        Map<String, String> response = parameters(query);
        requireState(request, response);
        requireIssuer(request, response);
        String error = response.getOrDefault("error", "");
        if (!error.isEmpty()) {
            String description = response.getOrDefault("error_description", "");
            throw refused(
                    "\"%s\" refuses the login: %s%s"
                            .formatted(
                                    request.parties().issuer(),
                                    Shown.of(error),
                                    description.isEmpty()
                                            ? ""
                                            : ": \"" + Shown.of(description) + "\""));
        }
        String code = response.getOrDefault("code", "");
        if (code.isEmpty()) {
            throw refused("the response to the login has no code; begin the login again");
        }
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", "authorization_code");
        form.put("code", code);
        form.put("redirect_uri", request.redirectUri());
        form.put("code_verifier", request.codeVerifier());
        form.put("resource", request.parties().resource());
        Login pending = pending(request);
        AuthorizationServer server = new Discovery(http, endpoint, settings).server(pending);
        TokenEndpoint tokens = new TokenEndpoint(http, settings.client(pending), clock);
        return pending.renewed(tokens.request(server, form), clock.instant());
    }

    private Login pending(AuthorizationRequest request) {
        return new Login(
                UUID.randomUUID().toString(),
                clock.instant(),
                request.parties(),
                request.scopes(),
                "",
                Instant.EPOCH,
                "",
                Instant.EPOCH,
                "");
    }

    private static void requireState(AuthorizationRequest request, Map<String, String> response)
            throws OAuthException {
        byte[] given = response.getOrDefault("state", "").getBytes(StandardCharsets.UTF_8);
        byte[] expected = request.state().getBytes(StandardCharsets.UTF_8);
        if (expected.length == 0 || !MessageDigest.isEqual(given, expected)) {
            throw refused("the response belongs to another login; begin the login again");
        }
    }

    /** A response of another authorization server would send the code to the wrong one. */
    private static void requireIssuer(AuthorizationRequest request, Map<String, String> response)
            throws OAuthException {
        @Nullable String issuer = response.get("iss");
        boolean fits =
                issuer == null ? !request.namesItself() : issuer.equals(request.parties().issuer());
        if (!fits) {
            throw OAuthException.lasting(
                    OAuthFailure.ISSUER_REFUSED,
                    "the response to the login is from \"%s\" and not from \"%s\", so its code was not used; begin the login again"
                            .formatted(
                                    issuer == null ? "no named issuer" : Shown.of(issuer),
                                    request.parties().issuer()));
        }
    }

    private static Map<String, String> parameters(String query) throws OAuthException {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (NameValuePair pair : WWWFormCodec.parse(query, StandardCharsets.UTF_8)) {
            String value = pair.getValue() == null ? "" : pair.getValue();
            if (parameters.put(pair.getName(), value) != null) {
                throw refused(
                        "the response to the login repeats the parameter \"%s\""
                                .formatted(Shown.of(pair.getName())));
            }
        }
        return parameters;
    }

    /**
     * Revokes the tokens of a login (RFC 7009). Returns false if the authorization server has no
     * endpoint for it.
     *
     * @throws OAuthException when it does not revoke them
     */
    public boolean revoke(URI endpoint, OAuthSettings settings, Login login) throws OAuthException {
        AuthorizationServer server = new Discovery(http, endpoint, settings).server(login);
        URI revocationEndpoint = server.login().revocationEndpoint();
        if (revocationEndpoint == null) {
            return false;
        }
        TokenEndpoint tokens = new TokenEndpoint(http, settings.client(login), clock);
        if (!login.refreshToken().isEmpty()) {
            tokens.revoke(server, revocationEndpoint, login.refreshToken(), "refresh_token");
        }
        tokens.revoke(server, revocationEndpoint, login.accessToken(), "access_token");
        return true;
    }

    private String random() {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return encoded(bytes);
    }

    private static String challenge(String verifier) {
        return encoded(Sha256.digest(verifier));
    }

    private static String encoded(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static OAuthException failed(String message) {
        return OAuthException.lasting(OAuthFailure.DISCOVERY_FAILED, message);
    }

    private static OAuthException refused(String message) {
        return OAuthException.lasting(OAuthFailure.LOGIN_REQUIRED, message);
    }

    @Override
    public void close() {
        timer.shutdownNow();
        http.close();
    }
}
