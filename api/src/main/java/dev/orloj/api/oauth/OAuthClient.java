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
 * @param grantType how a token is obtained; null for {@link GrantType#CLIENT_CREDENTIALS}
 * @param clientId empty for a client that registers itself, which only a login permits
 * @param clientSecretRef refers to the secret of the client
 * @param privateKeyRef refers to a key that signs assertions instead
 * @param tokenEndpointAuthMethod how the client authenticates itself; null for a way that the
 *     authorization server supports
 * @param issuer the only authorization server to use
 * @param authorizationUrl where a user logs in, if nothing is discovered
 * @param tokenUrl the token endpoint, which then is not discovered
 * @param scopes to request
 * @param resource the identifier of the server for which tokens are requested
 * @param audience of the tokens that the tokens of users are exchanged for
 * @param loginSecret the name of the Secret that holds the tokens of a login
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record OAuthClient(
        @Nullable GrantType grantType,
        String clientId,
        String clientSecretRef,
        String privateKeyRef,
        @Nullable AuthMethod tokenEndpointAuthMethod,
        String issuer,
        String authorizationUrl,
        String tokenUrl,
        List<String> scopes,
        String resource,
        String audience,
        String loginSecret) {

    /** What is added to the name of a server, when the manifest does not name the Secret. */
    private static final String LOGIN_SECRET_SUFFIX = "-oauth-login";

    /** How an access token is obtained. */
    public enum GrantType {
        /** With the credentials of the client. */
        @JsonProperty("client_credentials")
        CLIENT_CREDENTIALS,
        /** A user logs in with a browser. */
        @JsonProperty("authorization_code")
        AUTHORIZATION_CODE,
        /** The token of each user is exchanged for one for the server (RFC 8693). */
        @JsonProperty("urn:ietf:params:oauth:grant-type:token-exchange")
        TOKEN_EXCHANGE
    }

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
        authorizationUrl = orEmpty(authorizationUrl);
        tokenUrl = orEmpty(tokenUrl);
        scopes = scopes == null ? List.of() : List.copyOf(scopes);
        resource = orEmpty(resource);
        audience = orEmpty(audience);
        loginSecret = orEmpty(loginSecret);
    }

    /** Returns whether a user must log in before there is a token. */
    public boolean requiresLogin() {
        return grantType == GrantType.AUTHORIZATION_CODE;
    }

    /** Returns whether the requests of each user have a token for this user. */
    public boolean exchangesTokens() {
        return grantType == GrantType.TOKEN_EXCHANGE;
    }

    /** Returns the name of the Secret that holds the tokens of the login at this server. */
    public String loginSecret(String server) {
        return loginSecret.isEmpty() ? server + LOGIN_SECRET_SUFFIX : loginSecret;
    }

    /**
     * Returns the names of the Secrets that it refers to.
     *
     * @param server the name of the server
     */
    public Set<String> secretNames(String server) {
        Set<String> names = new TreeSet<>();
        for (String reference : List.of(clientSecretRef, privateKeyRef)) {
            if (!reference.isEmpty()) {
                names.add(SecretRef.parse(reference).name());
            }
        }
        if (requiresLogin()) {
            names.add(loginSecret(server));
        }
        return names;
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
