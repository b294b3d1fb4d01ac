package dev.orloj.server.authentication;

import dev.orloj.server.authorization.UserInfo;

import jakarta.servlet.http.HttpServletRequest;

import java.util.Optional;

/** Reads one kind of credential. Safe for many threads. */
@FunctionalInterface
public interface Authenticator {

    /**
     * Returns the user; empty when the request has no credential of this kind.
     *
     * @throws InvalidCredentialException when it has one that does not count
     */
    Optional<UserInfo> authenticate(HttpServletRequest request) throws InvalidCredentialException;
}
