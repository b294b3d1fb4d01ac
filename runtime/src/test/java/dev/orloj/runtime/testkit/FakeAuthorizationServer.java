package dev.orloj.runtime.testkit;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;

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
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

import javax.net.ssl.SSLContext;

/**
 * A fake authorization server on loopback. It checks what it receives: the authentication of the
 * client, the grant and the resource; and it knows the tokens that it has issued.
 */
public final class FakeAuthorizationServer implements AutoCloseable {

    public static final String CLIENT = "orloj client";
    public static final String SECRET = "s3cret:with+signs%and space";

    private static final String KEYS = "/keys";

    private static final Set<String> METADATA =
            Set.of("/.well-known/oauth-authorization-server", "/.well-known/openid-configuration");

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

    /** The user of each token; empty for those of the client itself. */
    private final Map<String, String> users = new ConcurrentHashMap<>();

    private volatile @Nullable ECKey key;
    private volatile boolean repeatsTokens = false;
    private volatile boolean hidden = false;
    private volatile JWKSet keys = new JWKSet();
    private volatile int lifetime = 3600;
    private volatile String error = "";
    private volatile String description = "";

    private FakeAuthorizationServer(@Nullable SSLContext tls) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        if (tls == null) {
            this.http = HttpServer.create(address, 0);
        } else {
            HttpsServer secured = HttpsServer.create(address, 0);
            secured.setHttpsConfigurator(new HttpsConfigurator(tls));
            this.http = secured;
        }
        http.setExecutor(threads);
        http.createContext("/", this::serve);
        http.start();
        metadata.put("issuer", issuer()).put("token_endpoint", issuer() + "/token");
        metadata.putArray("token_endpoint_auth_methods_supported").add("client_secret_basic");
    }

    public static FakeAuthorizationServer start() {
        try {
            return new FakeAuthorizationServer(null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts one over https. */
    public static FakeAuthorizationServer start(SSLContext tls) {
        try {
            return new FakeAuthorizationServer(tls);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Publishes the keys that its users' tokens are signed with. */
    public void publish(JWKSet published) {
        keys = published;
        metadata.put("jwks_uri", issuer() + KEYS);
    }

    public String issuer() {
        String scheme = http instanceof HttpsServer ? "https" : "http";
        return scheme + "://127.0.0.1:" + http.getAddress().getPort();
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

    /** Issues tokens to users, and lets the client exchange them. */
    public FakeLogins users() {
        return logins;
    }

    /** From now on, it has no metadata. */
    public void hideMetadata() {
        hidden = true;
    }

    /** From now on, an exchange gives the token that it got. */
    public void repeatTokens() {
        repeatsTokens = true;
    }

    /** Returns the user of the token that a request carries: empty for the client itself. */
    public @Nullable String user(FakeHttpServer.Received request) {
        String header = request.headers().getOrDefault("authorization", "");
        return users.get(header.replaceFirst("^Bearer ", ""));
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
            if (path.equals(KEYS)) {
                send(exchange, 200, (ObjectNode) Json.MAPPER.readTree(keys.toString(true)));
                return;
            }
            boolean found = METADATA.contains(path) && !hidden;
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
        String token = "token-%d-%s".formatted(requests.size(), UUID.randomUUID());
        String scope = scopes.get();
        issued.put(token, Set.of(scope.split(" ")));
        users.put(token, logins.user(request.form()));
        if (repeatsTokens) {
            token = request.form().getOrDefault("subject_token", token);
        }
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
