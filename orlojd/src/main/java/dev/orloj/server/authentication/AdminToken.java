package dev.orloj.server.authentication;

import dev.orloj.server.authorization.UserInfo;

import jakarta.servlet.http.HttpServletRequest;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;

/** The token of the owner, for clients that cannot present a certificate. */
public final class AdminToken implements Authenticator {

    private final byte[] token;
    private final UserInfo owner;

    public AdminToken(String token, UserInfo owner) {
        this.token = token.getBytes(StandardCharsets.UTF_8);
        this.owner = owner;
    }

    @Override
    public Optional<UserInfo> authenticate(HttpServletRequest request)
            throws InvalidCredentialException {
        Optional<String> given = BearerToken.of(request);
        if (given.isEmpty()) {
            return Optional.empty();
        }
        if (!MessageDigest.isEqual(token, given.get().getBytes(StandardCharsets.UTF_8))) {
            throw new InvalidCredentialException("unknown bearer token");
        }
        return Optional.of(owner);
    }
}
