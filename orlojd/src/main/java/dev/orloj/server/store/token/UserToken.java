package dev.orloj.server.store.token;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A bearer token of a user, as it is stored: without the token.
 *
 * @param parent the token that it was created with, and ends with
 * @param createdBy the name of the user who created it
 * @param lastUsedAt to about ten minutes
 */
public record UserToken(
        String name,
        String username,
        List<String> groups,
        Optional<String> parent,
        String createdBy,
        Instant createdAt,
        Instant expiresAt,
        Optional<Instant> lastUsedAt) {

    public UserToken {
        groups = List.copyOf(groups);
    }
}
