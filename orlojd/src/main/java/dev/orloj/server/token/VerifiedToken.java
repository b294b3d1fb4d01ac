package dev.orloj.server.token;

import dev.orloj.server.authorization.UserInfo;

import java.time.Instant;
import java.util.List;

/**
 * What a valid token says.
 *
 * @param name of a token of a user; empty for one of a ServiceAccount
 * @param audiences those of the token that the verifier asked for
 */
public record VerifiedToken(UserInfo user, String name, Instant expiry, List<String> audiences) {

    /** The key in the extra of a user that names the credential, as in Kubernetes. */
    static final String CREDENTIAL_ID = "authentication.kubernetes.io/credential-id";

    public VerifiedToken {
        audiences = List.copyOf(audiences);
    }
}
