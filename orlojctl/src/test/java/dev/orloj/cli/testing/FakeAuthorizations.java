package dev.orloj.cli.testing;

import com.sun.net.httpserver.HttpExchange;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** Logs users in at an authorization server that gives a token for the code "right". */
public final class FakeAuthorizations {

    public static final String ISSUER = "https://login.example.com";

    private final FakeResources resources;
    private final Set<ResourceKey> needed = new HashSet<>();
    private final Map<String, Begun> begun = new HashMap<>();
    private final Set<String> loggedIn = new HashSet<>();
    private final List<String> queries = new CopyOnWriteArrayList<>();
    private String page = ISSUER + "/authorize?state=%s&redirect_uri=%s";
    private String issuer = ISSUER;
    private String revocation = "Revoked";
    private String message = "";
    private boolean isRenewable = true;

    /** A login for which a browser is away. */
    private record Begun(String state, String redirectUri) {}

    FakeAuthorizations(FakeResources resources) {
        this.resources = resources;
        resources.show(this::shown);
    }

    private synchronized ObjectNode shown(ObjectNode document) {
        ResourceKey key =
                new ResourceKey(
                        document.at("/metadata/namespace").asString(""),
                        document.at("/metadata/name").asString(""));
        if (needed.contains(key)) {
            document.withObject("/spec/auth/oauth").put("grantType", "authorization_code");
        }
        return document;
    }

    /** A server, which is there, needs the login of a user. */
    public synchronized void need(String namespace, String server) {
        needed.add(new ResourceKey(namespace, server));
    }

    /** Where logins begin: a format of the state and the redirect URI. */
    public synchronized void putPage(String format) {
        page = format;
    }

    public synchronized void putIssuer(String text) {
        issuer = text;
    }

    /** What the authorization server does with tokens at the end, and the message about it. */
    public synchronized void putRevocation(String outcome, String why) {
        revocation = outcome;
        message = why;
    }

    /** The authorization server gives no refresh tokens. */
    public synchronized void endAtExpiry() {
        isRenewable = false;
    }

    public synchronized void logIn(String server) {
        loggedIn.add(server);
    }

    public synchronized boolean isLoggedIn(String server) {
        return loggedIn.contains(server);
    }

    /** The queries of all finishing requests so far. */
    public List<String> queries() {
        return List.copyOf(queries);
    }

    synchronized ObjectNode answer(HttpExchange exchange, FakePath path) throws IOException {
        ObjectNode server = resources.get(path, false);
        if (!server.at("/spec/auth/oauth/grantType").asString("").equals("authorization_code")) {
            throw new ApiException(
                    ErrorReason.INVALID,
                    "mcpservers.orloj.dev \"%s\" has no login".formatted(path.name()));
        }
        byte[] body = exchange.getRequestBody().readAllBytes();
        return switch (exchange.getRequestMethod()) {
            case "GET" -> document(path);
            case "POST" -> post(path, Json.MAPPER.readTree(body));
            case "DELETE" -> delete(path);
            default -> throw ApiException.badRequest(exchange.getRequestMethod());
        };
    }

    private ObjectNode post(FakePath path, JsonNode body) {
        String redirectUri = body.path("redirectUri").asString("");
        return body.has("query")
                ? finish(path, redirectUri, body.path("query").asString(""))
                : begin(path, redirectUri);
    }

    private ObjectNode begin(FakePath path, String redirectUri) {
        String state = "state-" + path.name();
        begun.put(path.name(), new Begun(state, redirectUri));
        ObjectNode document = document(path);
        document.putObject("request")
                .put(
                        "authorizationUrl",
                        page.formatted(
                                state, URLEncoder.encode(redirectUri, StandardCharsets.UTF_8)))
                .put("expires", "2026-01-01T00:10:00Z");
        return document;
    }

    private ObjectNode finish(FakePath path, String redirectUri, String query) {
        queries.add(query);
        Begun login = begun.remove(path.name());
        Map<String, String> values = values(query);
        if (login == null
                || !login.redirectUri().equals(redirectUri)
                || !login.state().equals(values.get("state"))) {
            throw new ApiException(ErrorReason.CONFLICT, "no login is in progress");
        }
        if (!"right".equals(values.get("code"))) {
            throw new ApiException(
                    ErrorReason.INVALID,
                    "the authorization server refused the login: "
                            + values.getOrDefault("error_description", "wrong code"));
        }
        loggedIn.add(path.name());
        return document(path);
    }

    private static Map<String, String> values(String query) {
        Map<String, String> values = new HashMap<>();
        for (String part : query.split("&")) {
            String[] pair = part.split("=", 2);
            values.put(pair[0], URLDecoder.decode(pair[1], StandardCharsets.UTF_8));
        }
        return values;
    }

    private ObjectNode delete(FakePath path) {
        boolean wasLoggedIn = loggedIn.remove(path.name());
        ObjectNode document = document(path).put("revocation", wasLoggedIn ? revocation : "None");
        if (!message.isEmpty()) {
            document.withObject("/status").put("message", message);
        }
        return document;
    }

    private ObjectNode document(FakePath path) {
        ObjectNode document =
                Json.MAPPER
                        .createObjectNode()
                        .put("kind", "McpServerAuthorization")
                        .put("apiVersion", "orloj.dev/v1");
        document.putObject("metadata").put("namespace", path.namespace()).put("name", path.name());
        boolean isLoggedIn = loggedIn.contains(path.name());
        ObjectNode status =
                document.putObject("status")
                        .put("loggedIn", isLoggedIn)
                        .put("secret", path.name() + "-login");
        if (isLoggedIn) {
            status.put("issuer", issuer)
                    .put("clientId", "orloj")
                    .put("since", "2026-01-01T00:00:00Z")
                    .put("expires", "2026-01-01T01:00:00Z")
                    .put("renewable", isRenewable);
            status.putArray("scopes").add("crm.read").add("crm.write");
        }
        return document;
    }
}
