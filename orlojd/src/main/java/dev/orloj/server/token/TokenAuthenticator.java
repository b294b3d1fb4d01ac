package dev.orloj.server.token;

import dev.orloj.server.authentication.Authenticator;
import dev.orloj.server.authentication.BearerToken;
import dev.orloj.server.authentication.Credential;
import dev.orloj.server.authentication.InvalidCredentialException;
import dev.orloj.server.authorization.UserInfo;

import jakarta.servlet.http.HttpServletRequest;

import java.util.Optional;

/** Reads bearer tokens that were issued here. */
public final class TokenAuthenticator implements Authenticator {

    private final Tokens tokens;

    public TokenAuthenticator(Tokens tokens) {
        this.tokens = tokens;
    }

    @Override
    public Optional<UserInfo> authenticate(HttpServletRequest request)
            throws InvalidCredentialException {
        Optional<String> token = BearerToken.of(request);
        if (token.isEmpty()) {
            return Optional.empty();
        }
        Optional<VerifiedToken> verified = tokens.verify(token.get());
        verified.ifPresent(
                result ->
                        Credential.attach(
                                request, new TokenCredential(tokens, token.get(), result)));
        return verified.map(VerifiedToken::user);
    }
}
