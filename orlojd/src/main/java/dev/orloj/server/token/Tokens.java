package dev.orloj.server.token;

import dev.orloj.api.signature.Sha256;
import dev.orloj.server.authentication.InvalidCredentialException;

import org.springframework.dao.DataAccessException;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Verifies the tokens that are issued here. What was verified is kept for {@link #KEPT}, by the
 * digest of the token, so that a call neither computes signatures nor asks the database. A
 * revocation on this replica, or the deletion of an account, counts at once; a revocation on
 * another replica when that time is over. While the database is away, it is kept for {@link
 * #OUTAGE}. Thread-safe.
 */
public final class Tokens {

    static final Duration KEPT = Duration.ofSeconds(3);
    static final Duration OUTAGE = Duration.ofMinutes(1);
    static final int MAX_KEPT = 10_000;

    private final List<TokenVerifier> verifiers;
    private final ServiceAccounts accounts;
    private final UserTokens users;
    private final InstantSource clock;
    private final AtomicLong revocations = new AtomicLong();
    private final Map<ByteBuffer, Kept> verified = new ConcurrentHashMap<>();

    public Tokens(
            AccountTokens issued, ServiceAccounts accounts, UserTokens users, InstantSource clock) {
        this.verifiers = List.of(issued, users);
        this.accounts = accounts;
        this.users = users;
        this.clock = clock;
    }

    /**
     * @param asOf the generation in which it was verified
     */
    private record Kept(VerifiedToken token, Instant since, long asOf) {

        boolean counts(Instant now, long generation, Duration limit) {
            return asOf == generation
                    && now.isBefore(since.plus(limit))
                    && !now.isBefore(since)
                    && now.isBefore(token.expiry());
        }
    }

    /**
     * Returns what a token for the API says; empty when it is none of those that are issued here.
     *
     * @throws InvalidCredentialException when it does not count
     */
    Optional<VerifiedToken> verify(String token) throws InvalidCredentialException {
        ByteBuffer key = digest(token);
        long asOf = generation();
        Kept kept = verified.get(key);
        Instant now = clock.instant();
        if (kept != null && kept.counts(now, asOf, KEPT)) {
            return Optional.of(kept.token());
        }
        try {
            Optional<VerifiedToken> fresh = verify(token, List.of(TokenVerifier.API_AUDIENCE));
            // The same object as before: what others keep of the user is found faster.
            Optional<VerifiedToken> same =
                    fresh.map(
                            result ->
                                    kept != null && kept.token().equals(result)
                                            ? kept.token()
                                            : result);
            same.ifPresent(result -> keep(key, new Kept(result, now, asOf)));
            return same;
        } catch (InvalidCredentialException e) {
            verified.remove(key);
            throw e;
        } catch (DataAccessException e) {
            if (kept != null && kept.counts(now, asOf, OUTAGE)) {
                return Optional.of(kept.token());
            }
            throw e;
        }
    }

    /** As {@link #verify(String)}, for other audiences, and without what is kept. */
    public Optional<VerifiedToken> verify(String token, List<String> audiences)
            throws InvalidCredentialException {
        for (TokenVerifier verifier : verifiers) {
            Optional<VerifiedToken> result = verifier.verify(token, audiences);
            if (result.isPresent()) {
                return result;
            }
        }
        return Optional.empty();
    }

    private void keep(ByteBuffer key, Kept fresh) {
        if (verified.size() >= MAX_KEPT) {
            verified.values().removeIf(kept -> !kept.counts(fresh.since(), fresh.asOf(), KEPT));
            if (verified.size() >= MAX_KEPT) {
                verified.clear();
            }
        }
        verified.put(key, fresh);
    }

    /** Deletes a token of a user. */
    public void revoke(String name) {
        users.delete(name);
        revocations.incrementAndGet();
    }

    private long generation() {
        return revocations.get() + accounts.losses();
    }

    private static ByteBuffer digest(String token) {
        return ByteBuffer.wrap(Sha256.digest(token));
    }
}
