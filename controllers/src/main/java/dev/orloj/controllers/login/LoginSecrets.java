package dev.orloj.controllers.login;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.OwnerReference;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.codec.Json;
import dev.orloj.api.core.Secret;
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
import java.util.TreeMap;

/**
 * Reads and writes the Secrets that hold logins. Each has the login, and the request that began the
 * latest one. Thread-safe.
 */
public final class LoginSecrets {

    /** The type of these Secrets. No other Secret is written. */
    public static final String TYPE = "orloj.dev/oauth-login";

    private static final String LOGIN = "login";
    private static final String REQUEST = "request";

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

        Content withoutLogin() {
            return new Content(request, Optional.empty());
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
            Secret secret = client.find(Secret.KIND, key).orElse(null);
            if (secret == null || !login(secret).equals(Optional.of(old))) {
                return false;
            }
            try {
                client.update(Secret.KIND, withContent(secret, content(secret).with(next)));
                return true;
            } catch (ApiException e) {
                if (e.reason() == ErrorReason.CONFLICT || e.reason() == ErrorReason.NOT_FOUND) {
                    return false;
                }
                throw e;
            }
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
     * Returns what a Secret holds at this moment.
     *
     * @throws ApiException when there is a Secret of this name that holds something else, or that
     *     cannot be decrypted
     */
    Content read(ResourceKey key) {
        Secret secret = find(key);
        return secret == null ? Content.NONE : content(secret);
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
     * Writes what a Secret holds. The server owns the Secret, so that both are deleted together.
     *
     * @throws ApiException of reason CONFLICT if the Secret has changed meanwhile
     */
    void write(McpServer owner, ResourceKey key, Content content) {
        Secret secret = find(key);
        if (secret == null) {
            ObjectMeta metadata =
                    ObjectMeta.of(key.namespace(), key.name())
                            .withOwnerReferences(List.of(OwnerReference.controllerOf(owner)));
            Secret created =
                    new Secret(
                            Secret.KIND.apiVersion(),
                            Secret.KIND.name(),
                            metadata,
                            new Secret.Spec(TYPE, Map.of(), false));
            client.create(Secret.KIND, withContent(created, content));
        } else {
            client.update(Secret.KIND, withContent(secret, content));
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
