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
 * @param namesItself whether the response has to name the issuer (RFC 9207)
 * @param parties between whom the tokens will be valid
 * @param scopes that are requested
 */
public record AuthorizationRequest(
        String state,
        String codeVerifier,
        String redirectUri,
        Instant expiry,
        String url,
        boolean namesItself,
        Login.Parties parties,
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
                "", "", redirectUri, expiry, "", namesItself, parties, scopes);
    }

    @Override
    public String toString() {
        return "AuthorizationRequest[issuer=" + parties.issuer() + ", expiry=" + expiry + "]";
    }
}
