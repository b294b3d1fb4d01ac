package dev.orloj.server.token;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.server.authentication.InvalidCredentialException;
import dev.orloj.server.authorization.UserInfo;
import dev.orloj.server.store.token.UserToken;
import dev.orloj.server.store.token.UserTokenTable;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Bearer tokens that administrators create for users. Thread-safe. */
public final class UserTokens implements TokenVerifier {

    private static final Logger log = LoggerFactory.getLogger(UserTokens.class);

    static final int MAX_OF_USER = 50;
    static final int MAX_TOKENS = 10_000;

    /** For so long, the list shows a token after it has expired. */
    private static final Duration KEPT = Duration.ofDays(7);

    private final UserTokenTable table;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();

    public UserTokens(UserTokenTable table, InstantSource clock) {
        this.table = table;
        this.clock = clock;
    }

    /** A new token, which is shown once. */
    public record Created(UserToken stored, String token) {

        @Override
        public String toString() {
            return "Created[" + stored + "]";
        }
    }

    @Override
    public Optional<VerifiedToken> verify(String token, List<String> audiences)
            throws InvalidCredentialException {
        if (!token.startsWith(UserTokenText.PREFIX)) {
            return Optional.empty();
        }
        if (!UserTokenText.isWellFormed(token)) {
            throw new InvalidCredentialException("token of a user: its checksum is wrong");
        }
        UserToken stored =
                table.find(UserTokenText.digest(token))
                        .orElseThrow(
                                () ->
                                        new InvalidCredentialException(
                                                "token of a user: it is unknown, or was revoked"));
        Instant now = clock.instant();
        if (!now.isBefore(stored.expiresAt())) {
            throw new InvalidCredentialException(
                    "token \"%s\" of a user: it expired at %s"
                            .formatted(stored.name(), stored.expiresAt()));
        }
        if (!audiences.contains(API_AUDIENCE)) {
            throw new InvalidCredentialException(
                    "token \"%s\" of a user: it is for the API only".formatted(stored.name()));
        }
        noteUse(stored, now);
        UserInfo user =
                new UserInfo(
                                stored.username(),
                                "",
                                stored.groups(),
                                Map.of(
                                        VerifiedToken.CREDENTIAL_ID,
                                        List.of("TOKEN=" + stored.name())))
                        .authenticated();
        return Optional.of(
                new VerifiedToken(user, stored.name(), stored.expiresAt(), List.of(API_AUDIENCE)));
    }

    /** The last use is for information: on a full disk, tokens still count. */
    private void noteUse(UserToken token, Instant now) {
        try {
            table.use(token, now);
        } catch (DataAccessException e) {
            log.atWarn()
                    .addKeyValue("token", token.name())
                    .setCause(e)
                    .log("Use of a token could not be noted");
        }
    }

    /**
     * Creates a token. Whether the creator may do so has been checked.
     *
     * @throws ApiException (AlreadyExists) for a name that is taken, (Forbidden) when there are too
     *     many
     */
    public Created create(UserToken wanted) {
        String token = UserTokenText.create(random);
        table.sweep(wanted.createdAt().minus(KEPT));
        try {
            if (!table.add(wanted, UserTokenText.digest(token), MAX_OF_USER, MAX_TOKENS)) {
                throw new ApiException(
                        ErrorReason.FORBIDDEN,
                        "usertokens.orloj.dev \"%s\" is forbidden: a user can have %d tokens, and all users together %d: delete one first"
                                .formatted(wanted.name(), MAX_OF_USER, MAX_TOKENS));
            }
        } catch (DuplicateKeyException e) {
            throw new ApiException(
                    ErrorReason.ALREADY_EXISTS,
                    "usertokens.orloj.dev \"%s\" already exists".formatted(wanted.name()));
        }
        return new Created(wanted, token);
    }

    public List<UserToken> list() {
        return table.list();
    }

    /**
     * @throws ApiException (NotFound)
     */
    public UserToken get(String name) {
        return table.findByName(name).orElseThrow(() -> unknown(name));
    }

    /**
     * @throws ApiException (NotFound)
     */
    void delete(String name) {
        if (!table.delete(name)) {
            throw unknown(name);
        }
    }

    private static ApiException unknown(String name) {
        return new ApiException(
                ErrorReason.NOT_FOUND, "usertokens.orloj.dev \"%s\" not found".formatted(name));
    }
}
