package dev.orloj.runtime.oauth;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.List;

/**
 * What an authorization server says about itself (RFC 8414, OpenID Connect Discovery).
 *
 * @param issuer empty if the manifest names the token endpoint itself
 * @param authenticationMethods how clients may authenticate themselves; empty when it does not say
 * @param login what it offers for logins of users
 */
record AuthorizationServer(
        String issuer, URI tokenEndpoint, List<String> authenticationMethods, LoginSupport login) {

    /**
     * What an authorization server offers for logins of users.
     *
     * @param authorizationEndpoint where a user logs in; null without one
     * @param registrationEndpoint where clients register themselves (RFC 7591); null without one
     * @param revocationEndpoint where tokens are revoked (RFC 7009); null without one
     * @param hasProofKeys whether it supports PKCE with S256
     * @param namesItself whether it names itself when it answers a login (RFC 9207)
     * @param scopes that it supports; empty when it does not say
     */
    record LoginSupport(
            @Nullable URI authorizationEndpoint,
            @Nullable URI registrationEndpoint,
            @Nullable URI revocationEndpoint,
            boolean hasProofKeys,
            boolean namesItself,
            List<String> scopes) {

        LoginSupport {
            scopes = List.copyOf(scopes);
        }
    }

    AuthorizationServer {
        authenticationMethods = List.copyOf(authenticationMethods);
    }

    /** Returns what to call it in messages. */
    String display() {
        return issuer.isEmpty() ? tokenEndpoint.toString() : issuer;
    }
}
