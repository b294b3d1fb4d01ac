package dev.orloj.controllers.login;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.OwnerReference;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.codec.Json;
import dev.orloj.api.core.Secret;
import dev.orloj.api.oauth.OAuthClient;
import dev.orloj.api.v1.McpServer;
import dev.orloj.runtime.oauth.AuthorizationRequest;
import dev.orloj.runtime.oauth.Login;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Reads and writes the Secrets that hold logins. Each has the login, and the request that began the
 * latest one. Thread-safe.
 */
public final class LoginSecrets {

    /** The type of these Secrets. No other Secret is written. */
    public static final String TYPE = "orloj.dev/oauth-login";

    private static final Set<ErrorReason> RACES =
            Set.of(ErrorReason.CONFLICT, ErrorReason.ALREADY_EXISTS, ErrorReason.NOT_FOUND);

    private static final int MAX_ATTEMPTS = 5;
    private static final String LOGIN = "login";
    private static final String REQUEST = "request";

    private static final FieldPath GRANT_TYPE = FieldPath.of("spec", "auth", "oauth", "grantType");

    private final ResourceClient client;

    /** What a Secret holds. */
    record Content(Optional<AuthorizationRequest> request, Optional<Login> login) {

        static final Content NONE = new Content(Optional.empty(), Optional.empty());

        Content with(AuthorizationRequest other) {
            return new Content(Optional.of(other), login);
        }

        Content with(Login other) {
            return new Content(request, Optional.of(other));
        }
    }

    /** Equal for the same Secret, as long as orlojd runs. */
    private record Store(ResourceClient client, ResourceKey key) implements Login.Store {

        @Override
        public Optional<Login> find() {
            return client.find(Secret.KIND, key).flatMap(LoginSecrets::login);
        }

        @Override
        public boolean replace(Login old, Login next) {
            return write(
                    client,
                    () ->
                            client.find(Secret.KIND, key)
                                    .filter(secret -> login(secret).equals(Optional.of(old)))
                                    .map(s -> withContent(s, content(s).with(next))));
        }
    }

    public LoginSecrets(ResourceClient client) {
        this.client = client;
    }

    /** Returns where the login of a Secret is kept. */
    public Login.Store store(ResourceKey secret) {
        return new Store(client, secret);
    }

    /** Returns the login that a Secret holds. Empty without one that can be read. */
    public static Optional<Login> login(Secret secret) {
        return read(secret, LOGIN, Login.class);
    }

    private static <T> Optional<T> read(Secret secret, String key, Class<T> type) {
        String encoded = secret.spec().data().get(key);
        if (encoded == null || !secret.spec().type().equals(TYPE)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Json.MAPPER.readValue(Base64.getDecoder().decode(encoded), type));
        } catch (JacksonException | IllegalArgumentException e) {
            // Edited by hand: another login replaces it. The message of the cause quotes tokens.
            return Optional.empty();
        }
    }

    private static Content content(Secret secret) {
        return new Content(read(secret, REQUEST, AuthorizationRequest.class), login(secret));
    }

    /**
     * Returns the OAuth client of a server whose users log in.
     *
     * @throws ApiException when they do not
     */
    public static OAuthClient client(McpServer server) {
        return Optional.ofNullable(server.spec().http().auth())
                .flatMap(auth -> Optional.ofNullable(auth.oauth()))
                .filter(OAuthClient::requiresLogin)
                .orElseThrow(
                        () ->
                                ApiException.invalid(
                                        McpServer.KIND,
                                        server.metadata().name(),
                                        List.of(
                                                FieldError.required(
                                                        GRANT_TYPE,
                                                        "users log in only with grantType:"
                                                                + " authorization_code"))));
    }

    /** Returns whether users log in for a server. */
    static boolean hasLogins(McpServer server) {
        return Optional.ofNullable(server.spec().http().auth())
                .flatMap(auth -> Optional.ofNullable(auth.oauth()))
                .filter(OAuthClient::requiresLogin)
                .isPresent();
    }

    /**
     * Returns the Secret that holds the login at a server.
     *
     * @throws ApiException when users do not log in there
     */
    public static ResourceKey key(McpServer server) {
        return new ResourceKey(
                server.metadata().namespace(),
                client(server).loginSecret(server.metadata().name()));
    }

    /**
     * Returns what the Secret of a server holds at this moment.
     *
     * @throws ApiException when there is a Secret of this name that holds something else, or that
     *     cannot be decrypted
     */
    Content read(McpServer server) {
        Secret secret = find(key(server));
        return secret == null ? Content.NONE : content(secret);
    }

    /**
     * Returns the login that is deleted together with a server. Empty without one, and if its
     * Secret belongs to another server.
     */
    Optional<Login> readOwn(McpServer server) {
        return Optional.ofNullable(find(key(server)))
                .filter(
                        secret ->
                                secret.metadata()
                                        .controller()
                                        .filter(o -> o.uid().equals(server.metadata().uid()))
                                        .isPresent())
                .flatMap(LoginSecrets::login);
    }

    private @Nullable Secret find(ResourceKey key) {
        Secret secret = client.find(Secret.KIND, key).orElse(null);
        if (secret != null && !secret.spec().type().equals(TYPE)) {
            throw ApiException.conflict(
                    Secret.KIND,
                    key.name(),
                    "it exists and does not hold a login; delete it, or set"
                            + " spec.auth.oauth.loginSecret to another name");
        }
        if (secret != null && secret.missingKey().isPresent()) {
            throw ApiException.conflict(
                    Secret.KIND,
                    key.name(),
                    "it is encrypted with key \"%s\", which orlojd does not have; put the key back and restart orlojd, or delete the Secret"
                            .formatted(secret.missingKey().get()));
        }
        return secret;
    }

    /**
     * Changes what the Secret of a server holds. The server owns the Secret, so that both are
     * deleted together.
     *
     * @param change of what it holds at this moment; called again if something else changes it
     */
    void update(McpServer owner, UnaryOperator<Content> change) {
        ResourceKey key = key(owner);
        write(
                client,
                () -> {
                    Secret secret = find(key);
                    return Optional.of(
                            secret == null
                                    ? withContent(empty(owner, key), change.apply(Content.NONE))
                                    : withContent(secret, change.apply(content(secret))));
                });
    }

    /**
     * Empties the Secret of a server if it still holds a login. A replica may have renewed the
     * tokens of the login meanwhile.
     */
    void remove(McpServer owner, Login login) {
        ResourceKey key = key(owner);
        write(
                client,
                () ->
                        Optional.ofNullable(find(key))
                                .filter(secret -> isSame(login(secret), login))
                                .map(secret -> withContent(secret, Content.NONE)));
    }

    private static boolean isSame(Optional<Login> held, Login login) {
        return held.filter(found -> found.id().equals(login.id())).isPresent();
    }

    /** Returns whether a server exists at this moment, and nothing deletes it. */
    boolean stays(McpServer server) {
        return client.find(McpServer.KIND, server.key())
                .filter(found -> found.metadata().uid().equals(server.metadata().uid()))
                .filter(found -> !found.metadata().isDeleting())
                .isPresent();
    }

    private static Secret empty(McpServer owner, ResourceKey key) {
        return new Secret(
                Secret.KIND.apiVersion(),
                Secret.KIND.name(),
                ObjectMeta.of(key.namespace(), key.name())
                        .withOwnerReferences(List.of(OwnerReference.controllerOf(owner))),
                new Secret.Spec(TYPE, Map.of(), false));
    }

    /**
     * Writes a Secret. Returns false if there is nothing to write.
     *
     * @param next the Secret to write; asked for again if something else writes it meanwhile
     */
    private static boolean write(ResourceClient client, Supplier<Optional<Secret>> next) {
        for (int attempt = 1; ; attempt++) {
            Optional<Secret> secret = next.get();
            if (secret.isEmpty()) {
                return false;
            }
            try {
                put(client, secret.get());
                return true;
            } catch (ApiException e) {
                if (!RACES.contains(e.reason()) || attempt == MAX_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static void put(ResourceClient client, Secret secret) {
        if (secret.metadata().resourceVersion().equals(ResourceVersion.UNSET)) {
            client.create(Secret.KIND, secret);
        } else {
            client.update(Secret.KIND, secret);
        }
    }

    private static Secret withContent(Secret secret, Content content) {
        Map<String, String> data = new TreeMap<>();
        content.request().ifPresent(request -> data.put(REQUEST, encoded(request)));
        content.login().ifPresent(login -> data.put(LOGIN, encoded(login)));
        return new Secret(
                secret.apiVersion(),
                secret.kind(),
                secret.metadata(),
                new Secret.Spec(TYPE, data, false));
    }

    private static String encoded(Object value) {
        return Base64.getEncoder()
                .encodeToString(
                        Json.MAPPER.writeValueAsString(value).getBytes(StandardCharsets.UTF_8));
    }
}
