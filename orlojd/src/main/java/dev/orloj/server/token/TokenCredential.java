package dev.orloj.server.token;

import dev.orloj.server.authentication.Credential;
import dev.orloj.server.authentication.InvalidCredentialException;

import java.time.Instant;
import java.util.Optional;

/** A token with which a request was made. */
final class TokenCredential implements Credential {

    private final Tokens tokens;
    private final String token;
    private final VerifiedToken verified;

    TokenCredential(Tokens tokens, String token, VerifiedToken verified) {
        this.tokens = tokens;
        this.token = token;
        this.verified = verified;
    }

    VerifiedToken verified() {
        return verified;
    }

    @Override
    public Optional<Instant> expiry() {
        return Optional.of(verified.expiry());
    }

    @Override
    public boolean isValid() {
        try {
            return tokens.verify(token).isPresent();
        } catch (InvalidCredentialException e) {
            return false;
        }
    }
}
