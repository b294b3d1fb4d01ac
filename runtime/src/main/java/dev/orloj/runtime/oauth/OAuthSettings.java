package dev.orloj.runtime.oauth;

import dev.orloj.runtime.subject.SubjectIdentifier;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * How to get access tokens for a server, with secrets resolved. {@code toString} shows none.
 *
 * @param server namespace and name of the server; no two servers share a token
 * @param issuer the only authorization server to use; empty for the one that the server names
 * @param tokenUrl the token endpoint; empty to discover it
 * @param scopes the scopes to request; empty for those that the server names
 * @param resource the identifier of the server (RFC 8707); empty for the one that it names itself
 * @param authorizationUrl where users log in, together with {@code tokenUrl}; empty to discover it
 * @param login whose tokens are used; null for tokens of the client itself
 * @param exchange how tokens of users are exchanged; null if they are not
 */
public record OAuthSettings(
        String server,
        ClientAuthentication client,
        String issuer,
        String tokenUrl,
        List<String> scopes,
        String resource,
        String authorizationUrl,
        Login.@Nullable Reference login,
        @Nullable Exchange exchange) {

    /**
     * How tokens of users are exchanged for tokens for the server (RFC 8693).
     *
     * @param audience of the tokens to request; empty for none
     * @param subject the user; null for the requests that orlojd sends on its own behalf
     */
    record Exchange(String audience, @Nullable SubjectIdentifier subject) {}

    /** Creates the settings for tokens of the client itself. */
    public OAuthSettings(
            String server,
            ClientAuthentication client,
            String issuer,
            String tokenUrl,
            List<String> scopes,
            String resource) {
        this(server, client, issuer, tokenUrl, scopes, resource, "", null, null);
    }

    public OAuthSettings {
        scopes = List.copyOf(scopes);
    }

    /** Returns the settings with the URL where users log in. */
    public OAuthSettings withAuthorizationUrl(String url) {
        return with(url, login, exchange);
    }

    /** Returns the settings with a login. */
    public OAuthSettings with(Login.Reference reference) {
        return with(authorizationUrl, reference, exchange);
    }

    /**
     * Returns the settings for requests on behalf of users, with an exchange of their tokens.
     *
     * @param audience of the tokens to request; empty for none
     */
    public OAuthSettings withTokenExchange(String audience) {
        return with(authorizationUrl, login, new Exchange(audience, null));
    }

    private OAuthSettings with(
            String url, Login.@Nullable Reference reference, @Nullable Exchange users) {
        return new OAuthSettings(
                server, client, issuer, tokenUrl, scopes, resource, url, reference, users);
    }

    /** Returns whether the requests of users require tokens for these users. */
    public boolean isPerUser() {
        return exchange != null;
    }

    /** Returns the settings for the requests of this user. */
    public OAuthSettings onBehalfOf(SubjectIdentifier user) {
        return exchange == null
                ? this
                : with(authorizationUrl, login, new Exchange(exchange.audience(), user));
    }

    /** Returns the client that a login belongs to. */
    ClientAuthentication client(Login user) {
        return client.clientId().isEmpty() ? user.parties().client().authentication() : client;
    }

    /** Returns the command that logs a user in. */
    public String loginCommand() {
        int slash = server.indexOf('/');
        return "orlojctl auth login %s -n %s"
                .formatted(server.substring(slash + 1), server.substring(0, slash));
    }

    /** Returns whether the manifest names the authorization server that gets the credentials. */
    boolean isPinned() {
        return !issuer.isEmpty() || !tokenUrl.isEmpty();
    }

    @Override
    public String toString() {
        return "OAuthSettings[server=" + server + ", issuer=" + issuer + "]";
    }
}
