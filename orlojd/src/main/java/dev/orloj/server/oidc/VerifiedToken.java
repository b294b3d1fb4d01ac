package dev.orloj.server.oidc;

import dev.orloj.api.Frozen;
import dev.orloj.server.authorization.UserInfo;

import java.time.Instant;
import java.util.Set;

/**
 * A token of an external issuer that counts.
 *
 * @param audiences whom it is for
 * @param isForEverything whether one of them is an audience of the configuration; otherwise it is
 *     for the MCP endpoint only that is its audience
 * @param scopes what it permits
 */
record VerifiedToken(
        UserInfo user,
        Set<String> audiences,
        boolean isForEverything,
        Set<String> scopes,
        Instant expiresAt) {

    VerifiedToken {
        audiences = Frozen.set(audiences);
        scopes = Frozen.set(scopes);
    }
}
