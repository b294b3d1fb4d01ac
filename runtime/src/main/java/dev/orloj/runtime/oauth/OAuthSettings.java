package dev.orloj.runtime.oauth;

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
 */
public record OAuthSettings(
        String server,
        ClientAuthentication client,
        String issuer,
        String tokenUrl,
        List<String> scopes,
        String resource,
        String authorizationUrl,
        Login.@Nullable Reference login) {

    /** Creates the settings for tokens of the client itself. */
    public OAuthSettings(
            String server,
            ClientAuthentication client,
            String issuer,
            String tokenUrl,
            List<String> scopes,
            String resource) {
        this(server, client, issuer, tokenUrl, scopes, resource, "", null);
    }

    public OAuthSettings {
        scopes = List.copyOf(scopes);
    }

    /** Returns the settings with the URL where users log in. */
    public OAuthSettings withAuthorizationUrl(String url) {
        return new OAuthSettings(server, client, issuer, tokenUrl, scopes, resource, url, login);
    }

    /** Returns the settings with a login. */
    public OAuthSettings with(Login.Reference reference) {
        return new OAuthSettings(
                server, client, issuer, tokenUrl, scopes, resource, authorizationUrl, reference);
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
