package dev.orloj.runtime.oauth;

import java.time.Instant;
import java.util.List;

/**
 * A login that a user has begun (RFC 6749, 4.1; RFC 7636). {@code toString} shows no secret.
 *
 * @param state that the response has to repeat; empty after the response
 * @param codeVerifier proves that the response belongs to this request
 * @param redirectUri the URL that gets the response
 * @param expiry the last moment for the response
 * @param url where the user logs in
 * @param issuer the authorization server; the token endpoint if that has no metadata
 * @param namesItself whether the response has to name the issuer (RFC 9207)
 * @param client that registered itself; {@link Login.Client#NONE} for that of the manifest
 * @param resource the server that the tokens are for
 * @param scopes that are requested
 */
public record AuthorizationRequest(
        String state,
        String codeVerifier,
        String redirectUri,
        Instant expiry,
        String url,
        String issuer,
        boolean namesItself,
        Login.Client client,
        String resource,
        List<String> scopes) {

    public AuthorizationRequest {
        scopes = List.copyOf(scopes);
    }

    /** Returns whether a response is still accepted. */
    public boolean isOpen(Instant now) {
        return !state.isEmpty() && now.isBefore(expiry);
    }

    /** Returns the request after its response. The client remains registered. */
    public AuthorizationRequest closed() {
        return new AuthorizationRequest(
                "", "", redirectUri, expiry, "", issuer, namesItself, client, resource, scopes);
    }

    @Override
    public String toString() {
        return "AuthorizationRequest[issuer=" + issuer + ", expiry=" + expiry + "]";
    }
}
