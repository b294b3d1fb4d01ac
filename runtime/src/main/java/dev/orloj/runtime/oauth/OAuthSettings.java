package dev.orloj.runtime.oauth;

import java.util.List;

/**
 * How to get access tokens for a server, with secrets resolved. {@code toString} shows none.
 *
 * @param server namespace and name of the server; no two servers share a token
 * @param issuer the only authorization server to use; empty for the one that the server names
 * @param tokenUrl the token endpoint; empty to discover it
 * @param scopes the scopes to request; empty for those that the server names
 * @param resource the identifier of the server (RFC 8707); empty for the one that it names itself
 */
public record OAuthSettings(
        String server,
        ClientAuthentication client,
        String issuer,
        String tokenUrl,
        List<String> scopes,
        String resource) {

    public OAuthSettings {
        scopes = List.copyOf(scopes);
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
