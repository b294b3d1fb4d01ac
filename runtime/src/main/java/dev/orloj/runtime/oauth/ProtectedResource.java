package dev.orloj.runtime.oauth;

import java.util.List;

/**
 * What a server says about its authorization (RFC 9728).
 *
 * @param resource its identifier, which tokens are requested for
 * @param issuers its authorization servers; at least one
 * @param scopes that it supports
 */
record ProtectedResource(String resource, List<String> issuers, List<String> scopes) {

    ProtectedResource {
        issuers = List.copyOf(issuers);
        scopes = List.copyOf(scopes);
    }
}
