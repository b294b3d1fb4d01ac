package dev.orloj.runtime.oauth;

import java.net.URI;
import java.util.List;

/**
 * What an authorization server says about itself (RFC 8414, OpenID Connect Discovery).
 *
 * @param issuer empty if the manifest names the token endpoint itself
 * @param authenticationMethods how clients may authenticate themselves; empty when it does not say
 */
record AuthorizationServer(String issuer, URI tokenEndpoint, List<String> authenticationMethods) {

    AuthorizationServer {
        authenticationMethods = List.copyOf(authenticationMethods);
    }

    /** Returns what to call it in messages. */
    String display() {
        return issuer.isEmpty() ? tokenEndpoint.toString() : issuer;
    }
}
