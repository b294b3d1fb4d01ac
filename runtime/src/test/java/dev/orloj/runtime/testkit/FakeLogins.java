package dev.orloj.runtime.testkit;

import com.sun.net.httpserver.HttpExchange;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The logins of users at a {@link FakeAuthorizationServer}: codes with proof keys, refresh tokens
 * that are accepted once, registered clients, and revoked tokens.
 */
public final class FakeLogins {

    private final Supplier<String> issuer;
    private static final String TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";

    /** The user of each token that a client may exchange. */
    private final Map<String, String> users = new ConcurrentHashMap<>();

    private final AtomicInteger ids = new AtomicInteger();
    private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();
    private final Map<String, String> refreshTokens = new ConcurrentHashMap<>();
    private final List<ObjectNode> registrations = new CopyOnWriteArrayList<>();
    private final List<String> clients = new CopyOnWriteArrayList<>();
    private final List<String> revoked = new CopyOnWriteArrayList<>();
    private volatile boolean givesRefreshTokens = true;
    private volatile String refusal = "";
    private volatile String named = "";

    FakeLogins(Supplier<String> issuer) {
        this.issuer = issuer;
    }

    void describe(ObjectNode metadata) {
        metadata.put("authorization_endpoint", issuer.get() + "/authorize?tenant=1");
        metadata.put("registration_endpoint", issuer.get() + "/register");
        metadata.put("revocation_endpoint", issuer.get() + "/revoke");
        metadata.put("authorization_response_iss_parameter_supported", true);
        metadata.putArray("code_challenge_methods_supported").add("S256");
        metadata.putArray("token_endpoint_auth_methods_supported").add("none");
    }

    public void giveNoRefreshTokens() {
        givesRefreshTokens = false;
    }

    /** The user does not consent. */
    public void refuse(String error) {
        refusal = error;
    }

    /** Responses name another issuer. */
    public void nameIssuer(String other) {
        named = other;
    }

    public void acceptClient(String id) {
        clients.add(id);
    }

    /** No login is valid any more. */
    public void endAll() {
        refreshTokens.clear();
    }

    public List<ObjectNode> registrations() {
        return List.copyOf(registrations);
    }

    public List<String> revoked() {
        return List.copyOf(revoked);
    }

    /** Does what a user with a browser does, and returns the query that the redirect URI gets. */
    public static String logIn(String authorizationUrl) {
        try (HttpClient browser = HttpClient.newHttpClient()) {
            HttpResponse<String> response =
                    browser.send(
                            HttpRequest.newBuilder(URI.create(authorizationUrl)).build(),
                            HttpResponse.BodyHandlers.ofString());
            return response.headers()
                    .firstValue("Location")
                    .map(location -> URI.create(location).getRawQuery())
                    .orElseThrow(() -> new AssertionError(response + response.body()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    boolean serve(HttpExchange exchange) throws IOException {
        switch (exchange.getRequestURI().getPath()) {
            case "/authorize" -> authorize(exchange);
            case "/register" -> register(exchange);
            case "/revoke" -> revoke(exchange);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void authorize(HttpExchange exchange) throws IOException {
        Map<String, String> query =
                FakeAuthorizationServer.form(exchange.getRequestURI().getRawQuery());
        boolean isGood =
                clients.contains(query.get("client_id"))
                        && "code".equals(query.get("response_type"))
                        && "S256".equals(query.get("code_challenge_method"));
        if (!isGood) {
            FakeAuthorizationServer.send(exchange, 400, Json.MAPPER.createObjectNode());
            return;
        }
        String code = unique("code");
        codes.put(code, query);
        String iss = named.isEmpty() ? issuer.get() : named;
        String location =
                query.get("redirect_uri")
                        + (refusal.isEmpty()
                                ? "?code=" + code
                                : "?error=" + refusal + "&error_description=No%1B%5B31mway")
                        + "&state="
                        + query.get("state")
                        + "&iss="
                        + URLEncoder.encode(iss, StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Location", location);
        exchange.sendResponseHeaders(302, -1);
    }

    private void register(HttpExchange exchange) throws IOException {
        ObjectNode request = (ObjectNode) Json.MAPPER.readTree(exchange.getRequestBody());
        registrations.add(request);
        String id = "registered-" + ids.incrementAndGet();
        clients.add(id);
        FakeAuthorizationServer.send(exchange, 201, request.deepCopy().put("client_id", id));
    }

    private void revoke(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String token = FakeAuthorizationServer.form(body).getOrDefault("token", "");
        revoked.add(token);
        refreshTokens.remove(token);
        FakeAuthorizationServer.send(exchange, 200, Json.MAPPER.createObjectNode());
    }

    /** Returns whether a request is of a client that needs no secret. */
    boolean isClient(Map<String, String> form) {
        return clients.contains(form.getOrDefault("client_id", ""));
    }

    /** Returns the scopes that a grant gives. Empty if it is not valid. */
    Optional<String> scope(Map<String, String> form, ObjectNode answer) {
        return switch (form.getOrDefault("grant_type", "")) {
            case "authorization_code" -> redeem(form).map(scope -> withRefresh(scope, answer));
            case "refresh_token" ->
                    Optional.ofNullable(refreshTokens.remove(form.get("refresh_token")))
                            .map(scope -> withRefresh(scope, answer));
            case TOKEN_EXCHANGE ->
                    Optional.of(form.getOrDefault("scope", ""))
                            .filter(_ -> users.containsKey(form.getOrDefault("subject_token", "")));
            default -> Optional.of(form.getOrDefault("scope", ""));
        };
    }

    private Optional<String> redeem(Map<String, String> form) {
        return Optional.ofNullable(codes.remove(form.getOrDefault("code", "")))
                .filter(query -> query.get("redirect_uri").equals(form.get("redirect_uri")))
                .filter(query -> query.get("resource").equals(form.get("resource")))
                .filter(
                        query ->
                                query.get("code_challenge")
                                        .equals(challenge(form.get("code_verifier"))))
                .map(query -> query.getOrDefault("scope", ""));
    }

    /**
     * Issues a token to a user, which clients may exchange until it is {@link #forget forgotten}.
     */
    public String tokenOf(String user) {
        String token = "user-token-%s-%d".formatted(user, ids.incrementAndGet());
        accept(token, user);
        return token;
    }

    /** Accepts a token of a user from elsewhere. */
    public void accept(String token, String user) {
        users.put(token, user);
    }

    public void forget(String token) {
        users.remove(token);
    }

    /** Returns the user whose token a request exchanges; empty for other requests. */
    String user(Map<String, String> form) {
        return users.getOrDefault(form.getOrDefault("subject_token", ""), "");
    }

    /** Long enough that nothing else contains it. */
    private String unique(String kind) {
        return "%s-%d-%s".formatted(kind, ids.incrementAndGet(), UUID.randomUUID());
    }

    private String withRefresh(String scope, ObjectNode answer) {
        if (givesRefreshTokens) {
            String token = unique("refresh");
            refreshTokens.put(token, scope);
            answer.put("refresh_token", token);
        }
        return scope;
    }

    private static String challenge(String verifier) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(verifier.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}
