package dev.orloj.server.oidc;

import dev.orloj.api.Frozen;
import dev.orloj.runtime.subject.SubjectIdentifier;
import dev.orloj.server.authorization.UserInfo;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A token of an external issuer that counts.
 *
 * @param audiences whom it is for
 * @param isForEverything whether one of them is an audience of the configuration; otherwise it is
 *     for the MCP endpoint only that is its audience
 * @param scopes what it permits
 */
record VerifiedJwt(
        UserInfo user,
        Set<String> audiences,
        boolean isForEverything,
        Set<String> scopes,
        Instant expiresAt) {

    VerifiedJwt {
        audiences = Frozen.set(audiences);
        scopes = Frozen.set(scopes);
    }

    /** Returns how the issuer identifies the user. Empty if it does not. */
    Optional<SubjectIdentifier> subject() {
        return first(UserInfo.ISSUER)
                .flatMap(
                        issuer ->
                                first(UserInfo.SUBJECT)
                                        .map(name -> new SubjectIdentifier(issuer, name)));
    }

    private Optional<String> first(String key) {
        return user.extra().getOrDefault(key, List.of()).stream()
                .filter(text -> !text.isEmpty())
                .findFirst();
    }
}
