package dev.orloj.server.oidc;

import dev.orloj.api.Frozen;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.Set;

/**
 * An issuer of tokens, as an AuthenticationConfiguration describes it.
 *
 * @param url the claim {@code iss} of its tokens
 * @param discoveryUrl its OpenID configuration
 * @param certificateAuthority PEM with the authorities of its certificate; empty for those of the
 *     system
 * @param audiences whom its tokens are for, one of which a token must have
 * @param requiredClaims claims that a token must have, with these values
 * @param groups null when its tokens have no groups
 * @param uidClaim empty when its tokens have none
 */
record IssuerSettings(
        String url,
        String discoveryUrl,
        String certificateAuthority,
        Set<String> audiences,
        Map<String, String> requiredClaims,
        ClaimMapping username,
        @Nullable ClaimMapping groups,
        String uidClaim) {

    IssuerSettings {
        audiences = Frozen.set(audiences);
        requiredClaims = Frozen.map(requiredClaims);
    }
}
