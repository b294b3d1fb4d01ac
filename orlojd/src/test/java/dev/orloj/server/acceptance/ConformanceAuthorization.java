package dev.orloj.server.acceptance;

import static org.awaitility.Awaitility.await;

import dev.orloj.api.codec.Json;
import dev.orloj.server.testing.RestClient;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the client of the conformance suite is authorized: with credentials of its own, or by the
 * login of a user. The user is one whose browser follows the redirect of the authorization server
 * at once.
 */
final class ConformanceAuthorization {

    private static final String PREFIX = "auth/";
    private static final String REDIRECT = "http://127.0.0.1:43210/callback";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** The metadata document that the suite requires a client to name. */
    private static final String CLIENT_METADATA =
            "https://conformance-test.local/client-metadata.json";

    private static final String REQUIRED = "OAuthLoginRequired";
    private static final Pattern NEEDED_SCOPE = Pattern.compile("needs the scope \"([^\"]+)\"");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final RestClient orlojd;
    private final String name;
    private final URI endpoint;
    private final String scenario;
    private final JsonNode context;
    private boolean isLogin;

    /**
     * @param name of the McpServer
     * @param endpoint of the server of the suite
     * @param context what the suite gives the client
     */
    ConformanceAuthorization(
            RestClient orlojd, String name, URI endpoint, String scenario, JsonNode context) {
        this.orlojd = orlojd;
        this.endpoint = endpoint;
        this.name = name;
        this.scenario = scenario;
        this.context = context;
    }

    /** Returns whether a scenario is one of authorization. */
    static boolean isOf(String scenario) {
        return scenario.startsWith(PREFIX);
    }

    /** Returns the member of the manifest, and creates the Secret that it refers to. */
    String member() {
        if (!isOf(scenario)) {
            return "";
        }
        String id = context.path("client_id").asString("");
        String client =
                switch (scenario.substring(PREFIX.length())) {
                    case "basic-cimd" -> login("clientId: \"%s\"".formatted(CLIENT_METADATA));
                    case "pre-registration" -> login(withSecret(id));
                    case "client-credentials-basic" -> withSecret(id);
                    case "client-credentials-jwt" -> withKey(id);
                    default -> login("");
                };
        return "auth: {oauth: {%s}}".formatted(client);
    }

    private String login(String client) {
        isLogin = true;
        return "grantType: authorization_code" + (client.isEmpty() ? "" : ", " + client);
    }

    private String withKey(String id) {
        return "clientId: \"%s\", privateKeyRef: %s"
                .formatted(id, secret(context.path("private_key_pem").asString()));
    }

    /** The secret goes to the authorization server that the manifest names. */
    private String withSecret(String id) {
        return "clientId: \"%s\", clientSecretRef: %s, issuer: \"%s\""
                .formatted(id, secret(context.path("client_secret").asString()), issuer());
    }

    private String issuer() {
        URI metadata =
                endpoint.resolve("/.well-known/oauth-protected-resource" + endpoint.getRawPath());
        try {
            String document =
                    HTTP.send(
                                    HttpRequest.newBuilder(metadata).build(),
                                    HttpResponse.BodyHandlers.ofString())
                            .body();
            return Json.MAPPER.readTree(document).at("/authorization_servers/0").asString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private String secret(String value) {
        ObjectNode secret = Json.MAPPER.createObjectNode();
        secret.put("apiVersion", "orloj.dev/v1").put("kind", "Secret");
        secret.putObject("metadata").put("name", name);
        secret.putObject("spec").putObject("stringData").put("value", value);
        orlojd.create("default", "secrets", secret.toString());
        return name;
    }

    /** Logs the user in, if the scenario requires that. */
    void logIn() throws IOException, InterruptedException {
        if (isLogin) {
            await().atMost(TIMEOUT).until(() -> reason("Accepted").equals(REQUIRED));
            authorize();
        }
    }

    /** Returns whether the server does not accept the login any more. */
    boolean isOver() {
        return isLogin
                && !reason("Accepted").equals(REQUIRED)
                && reason("Connected").equals(REQUIRED);
    }

    /** Does what the message of a call asks for, if it asks for a login with another scope. */
    boolean stepUp(String message) throws IOException, InterruptedException {
        Matcher needed = NEEDED_SCOPE.matcher(message);
        if (!isLogin || !needed.find()) {
            return false;
        }
        Set<String> scopes = new LinkedHashSet<>();
        Json.MAPPER
                .readTree(orlojd.get(path()).expect(200).text())
                .at("/status/scopes")
                .forEach(scope -> scopes.add(scope.asString()));
        scopes.addAll(List.of(needed.group(1).split(" ")));
        ObjectNode change = Json.MAPPER.createObjectNode();
        ArrayNode wanted =
                change.putObject("spec").putObject("auth").putObject("oauth").putArray("scopes");
        scopes.forEach(wanted::add);
        orlojd.patch(server(), change.toString()).expect(200);
        authorize();
        return true;
    }

    void authorize() throws IOException, InterruptedException {
        String begun = orlojd.post(path(), Map.of("redirectUri", REDIRECT)).expect(200).text();
        URI authorization =
                URI.create(Json.MAPPER.readTree(begun).at("/request/authorizationUrl").asString());
        HttpResponse<Void> redirect =
                HTTP.send(
                        HttpRequest.newBuilder(authorization).build(),
                        HttpResponse.BodyHandlers.discarding());
        URI location = URI.create(redirect.headers().firstValue("Location").orElseThrow());
        orlojd.post(path(), Map.of("redirectUri", REDIRECT, "query", location.getRawQuery()))
                .expect(200);
    }

    private String path() {
        return server() + "/authorization";
    }

    private String server() {
        return RestClient.collection("default", "mcpservers") + "/" + name;
    }

    private String reason(String type) {
        return orlojd.get(server())
                .body()
                .at("/status/conditions")
                .valueStream()
                .filter(condition -> condition.path("type").asString().equals(type))
                .map(condition -> condition.path("reason").asString())
                .findFirst()
                .orElse("");
    }
}
