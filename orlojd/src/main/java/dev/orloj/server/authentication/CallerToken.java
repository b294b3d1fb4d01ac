package dev.orloj.server.authentication;

import dev.orloj.runtime.subject.SubjectToken;

import jakarta.servlet.http.HttpServletRequest;

import java.util.Optional;

/**
 * The token with which the user of a request has authenticated, for servers that require a token
 * for each user. It never goes to a server itself.
 */
public final class CallerToken {

    private static final String ATTRIBUTE = CallerToken.class.getName();

    private CallerToken() {}

    public static void attach(HttpServletRequest request, SubjectToken token) {
        request.setAttribute(ATTRIBUTE, token);
    }

    /**
     * Returns the token. Empty if the user has authenticated otherwise, or impersonates another
     * one, who has not given a token.
     */
    public static Optional<SubjectToken> of(HttpServletRequest request) {
        Optional<SubjectToken> token =
                Optional.ofNullable((SubjectToken) request.getAttribute(ATTRIBUTE));
        return token.filter(
                _ ->
                        AuthenticationGuard.authenticated(request)
                                .equals(AuthenticationGuard.user(request)));
    }
}
