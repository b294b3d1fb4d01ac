package dev.orloj.server.token;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.Status;
import dev.orloj.server.authentication.Credential;
import dev.orloj.server.authorization.Attributes;
import dev.orloj.server.authorization.Authorizer;
import dev.orloj.server.authorization.Decision;
import dev.orloj.server.authorization.Forbidden;
import dev.orloj.server.authorization.UserInfo;
import dev.orloj.server.store.token.UserToken;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Decides which tokens a client may create for users: none that is wider than its own rights, and
 * none that outlives its own credential.
 */
public final class TokenGrants {

    private static final Duration USUAL_LIFETIME = Duration.ofDays(30);

    private final Authorizer authorizer;
    private final InstantSource clock;

    public TokenGrants(Authorizer authorizer, InstantSource clock) {
        this.authorizer = authorizer;
        this.clock = clock;
    }

    /** A token that a client asks for. */
    public record Wanted(
            String name, String username, List<String> groups, Optional<Duration> lifetime) {}

    /**
     * Returns the token to create.
     *
     * @param client absent on the port that does not authenticate
     * @throws ApiException (Forbidden) naming what is missing
     */
    public UserToken grant(
            Wanted wanted, Optional<UserInfo> client, Optional<Credential> credential) {
        Instant now = clock.instant();
        Instant expiry = now.plus(wanted.lifetime().orElse(USUAL_LIFETIME));
        Optional<Instant> end = credential.flatMap(Credential::expiry);
        if (end.isPresent() && end.get().isBefore(expiry)) {
            if (wanted.lifetime().isPresent()) {
                throw forbidden(
                        wanted,
                        "it would outlive the credential of the request, which ends at %s: ask for less, or use admin.token"
                                .formatted(end.get()));
            }
            expiry = end.get();
        }
        client.ifPresent(user -> check(wanted, user));
        return new UserToken(
                wanted.name(),
                wanted.username(),
                wanted.groups(),
                parent(wanted, credential),
                client.map(UserInfo::username).orElse(""),
                now,
                expiry,
                Optional.empty());
    }

    private static Optional<String> parent(Wanted wanted, Optional<Credential> credential) {
        if (!(credential.orElse(null) instanceof TokenCredential token)) {
            return Optional.empty();
        }
        if (token.verified().name().isEmpty()) {
            throw forbidden(wanted, "a ServiceAccount creates no tokens of users");
        }
        return Optional.of(token.verified().name());
    }

    private void check(Wanted wanted, UserInfo client) {
        boolean isSelf =
                client.username().equals(wanted.username())
                        && client.groups().containsAll(wanted.groups());
        if (isSelf) {
            return;
        }
        require(client, "users", wanted.username());
        wanted.groups().forEach(group -> require(client, "groups", group));
    }

    private void require(UserInfo client, String resource, String name) {
        Attributes part = new Attributes.OfResource("impersonate", "", resource, "", "", name);
        Decision decision = authorizer.decide(client, part);
        if (!decision.allowed()) {
            Status status = Forbidden.status(client, part, decision.reason());
            throw new ApiException(ErrorReason.FORBIDDEN, status.message(), status.details());
        }
    }

    private static ApiException forbidden(Wanted wanted, String why) {
        return new ApiException(
                ErrorReason.FORBIDDEN,
                "usertokens.orloj.dev \"%s\" is forbidden: %s".formatted(wanted.name(), why));
    }
}
