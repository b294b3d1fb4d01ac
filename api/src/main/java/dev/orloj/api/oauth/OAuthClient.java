package dev.orloj.api.oauth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

import dev.orloj.api.core.SecretRef;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Orloj as an OAuth client of the authorization server of an MCP server. Texts are empty and lists
 * are empty where the manifest has none.
 *
 * @param clientSecretRef refers to the secret of the client
 * @param privateKeyRef refers to a key that signs assertions instead
 * @param tokenEndpointAuthMethod how the client authenticates itself; null for a way that the
 *     authorization server supports
 * @param issuer the only authorization server to use
 * @param tokenUrl the token endpoint, which then is not discovered
 * @param scopes to request
 * @param resource the identifier of the server for which tokens are requested
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record OAuthClient(
        String clientId,
        String clientSecretRef,
        String privateKeyRef,
        @Nullable AuthMethod tokenEndpointAuthMethod,
        String issuer,
        String tokenUrl,
        List<String> scopes,
        String resource) {

    /** How a client authenticates itself at a token endpoint. */
    public enum AuthMethod {
        @JsonProperty("client_secret_basic")
        CLIENT_SECRET_BASIC,
        @JsonProperty("client_secret_post")
        CLIENT_SECRET_POST,
        @JsonProperty("private_key_jwt")
        PRIVATE_KEY_JWT
    }

    public OAuthClient {
        clientId = orEmpty(clientId);
        clientSecretRef = orEmpty(clientSecretRef);
        privateKeyRef = orEmpty(privateKeyRef);
        issuer = orEmpty(issuer);
        tokenUrl = orEmpty(tokenUrl);
        scopes = scopes == null ? List.of() : List.copyOf(scopes);
        resource = orEmpty(resource);
    }

    /** Returns the names of the Secrets that it refers to. */
    public Set<String> secretNames() {
        Set<String> names = new TreeSet<>();
        for (String reference : List.of(clientSecretRef, privateKeyRef)) {
            if (!reference.isEmpty()) {
                names.add(SecretRef.parse(reference).name());
            }
        }
        return names;
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
