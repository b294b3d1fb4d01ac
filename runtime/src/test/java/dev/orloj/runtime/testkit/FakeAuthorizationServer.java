package dev.orloj.runtime.testkit;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.orloj.api.codec.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * A fake authorization server on loopback. It checks what it receives: the authentication of the
 * client, the grant and the resource; and it knows the tokens that it has issued.
 */
public final class FakeAuthorizationServer implements AutoCloseable {

    public static final String CLIENT = "orloj client";
    public static final String SECRET = "s3cret:with+signs%and space";

    /** A request to the token endpoint. */
    public record TokenRequest(Map<String, String> form, String authorization) {}

    private final HttpServer http;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ObjectNode metadata = Json.MAPPER.createObjectNode();
    private final List<TokenRequest> requests = new CopyOnWriteArrayList<>();
    private final List<String> fetched = new CopyOnWriteArrayList<>();

    private final FakeLogins logins = new FakeLogins(this::issuer);

    /** The scopes of each token. */
    private final Map<String, Set<String>> issued = new ConcurrentHashMap<>();

    private volatile @Nullable ECKey key;
    private volatile int lifetime = 3600;
    private volatile String error = "";
    private volatile String description = "";

    private FakeAuthorizationServer() throws IOException {
        this.http =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(threads);
        http.createContext("/", this::serve);
        http.start();
        metadata.put("issuer", issuer()).put("token_endpoint", issuer() + "/token");
        metadata.putArray("token_endpoint_auth_methods_supported").add("client_secret_basic");
    }

    public static FakeAuthorizationServer start() {
        try {
            return new FakeAuthorizationServer();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String issuer() {
        return "http://127.0.0.1:" + http.getAddress().getPort();
    }

    /** What it says about itself; changes count at once. */
    public ObjectNode metadata() {
        return metadata;
    }

    /** Lets users log in, and clients register themselves. */
    public FakeLogins offerLogins() {
        logins.describe(metadata);
        return logins;
    }

    /** Makes a server name this authorization server in its metadata. */
    public void describeAt(FakeHttpServer server) {
        server.serve(
                "/.well-known/oauth-protected-resource/mcp",
                () ->
                        "{\"resource\": \"%s\", \"authorization_servers\": [\"%s\"]}"
                                .formatted(server.endpoint(), issuer()));
    }

    public void authenticatesBy(String method) {
        metadata.putArray("token_endpoint_auth_methods_supported").add(method);
    }

    /** Accepts assertions that this key has signed. */
    public void accept(ECKey publicKey) {
        key = publicKey;
        authenticatesBy("private_key_jwt");
    }

    public void tokensExpireAfter(int seconds) {
        lifetime = seconds;
    }

    /** Refuses every request from now on; an empty error ends it. */
    public void refuse(String code, String text) {
        error = code;
        description = text;
    }

    /** No token that was issued is valid any more. */
    public void revokeAll() {
        issued.clear();
    }

    public List<TokenRequest> requests() {
        return List.copyOf(requests);
    }

    /** The paths of all documents that were fetched. */
    public List<String> fetched() {
        return List.copyOf(fetched);
    }

    /** Returns the scopes of the token that a request carries; null if it is not valid. */
    public @Nullable Set<String> scopes(FakeHttpServer.Received request) {
        String header = request.headers().getOrDefault("authorization", "");
        return issued.get(header.replaceFirst("^Bearer ", ""));
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            if (path.equals("/token")) {
                token(exchange);
                return;
            }
            if (logins.serve(exchange)) {
                return;
            }
            fetched.add(path);
            boolean found = path.equals("/.well-known/oauth-authorization-server");
            send(exchange, found ? 200 : 404, found ? metadata : Json.MAPPER.createObjectNode());
        }
    }

    private void token(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String authorization = exchange.getRequestHeaders().getFirst("Authorization");
        TokenRequest request =
                new TokenRequest(form(body), authorization == null ? "" : authorization);
        requests.add(request);
        ObjectNode answer = Json.MAPPER.createObjectNode();
        if (!error.isEmpty()) {
            send(exchange, 400, answer.put("error", error).put("error_description", description));
            return;
        }
        if (!logins.isClient(request.form()) && !isAuthentic(request)) {
            send(exchange, 401, answer.put("error", "invalid_client"));
            return;
        }
        if (request.form().getOrDefault("resource", "").isEmpty()) {
            send(exchange, 400, answer.put("error", "invalid_target"));
            return;
        }
        Optional<String> scopes = logins.scope(request.form(), answer);
        if (scopes.isEmpty()) {
            send(exchange, 400, answer.put("error", "invalid_grant"));
            return;
        }
        String token = "token-%d-%s".formatted(requests.size(), "x".repeat(20));
        String scope = scopes.get();
        issued.put(token, Set.of(scope.split(" ")));
        send(
                exchange,
                200,
                answer.put("access_token", token)
                        .put("token_type", "bearer")
                        .put("expires_in", lifetime));
    }

    private boolean isAuthentic(TokenRequest request) {
        String method =
                metadata.at("/token_endpoint_auth_methods_supported/0")
                        .asString("client_secret_basic");
        return switch (method) {
            case "client_secret_basic" -> isBasic(request.authorization());
            case "client_secret_post" ->
                    CLIENT.equals(request.form().get("client_id"))
                            && SECRET.equals(request.form().get("client_secret"))
                            && request.authorization().isEmpty();
            case "private_key_jwt" -> isSigned(request);
            default -> false;
        };
    }

    private static boolean isBasic(String authorization) {
        if (!authorization.startsWith("Basic ")) {
            return false;
        }
        String pair =
                new String(
                        Base64.getDecoder().decode(authorization.substring(6)),
                        StandardCharsets.UTF_8);
        String[] parts = pair.split(":", 2);
        return parts.length == 2
                && CLIENT.equals(decode(parts[0]))
                && SECRET.equals(decode(parts[1]));
    }

    private boolean isSigned(TokenRequest request) {
        ECKey verifying = key;
        try {
            SignedJWT jwt = SignedJWT.parse(request.form().getOrDefault("client_assertion", ""));
            var claims = jwt.getJWTClaimsSet();
            return verifying != null
                    && jwt.verify(new ECDSAVerifier(verifying))
                    && CLIENT.equals(claims.getIssuer())
                    && CLIENT.equals(claims.getSubject())
                    && claims.getAudience().equals(List.of(issuer()))
                    && claims.getJWTID() != null
                    && claims.getExpirationTime() != null;
        } catch (ParseException | JOSEException e) {
            return false;
        }
    }

    static Map<String, String> form(String body) {
        Map<String, String> form = new TreeMap<>();
        Stream.of(body.split("&"))
                .map(pair -> pair.split("=", 2))
                .forEach(pair -> form.put(decode(pair[0]), pair.length < 2 ? "" : decode(pair[1])));
        return form;
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    static void send(HttpExchange exchange, int status, ObjectNode body) throws IOException {
        byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        http.stop(0);
        threads.shutdownNow();
    }
}
