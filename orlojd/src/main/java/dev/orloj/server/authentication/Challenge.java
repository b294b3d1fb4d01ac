package dev.orloj.server.authentication;

import jakarta.servlet.http.HttpServletRequest;

import java.util.Optional;

/** Shows a client without a valid credential how to get one. */
@FunctionalInterface
public interface Challenge {

    /**
     * Returns the header {@code WWW-Authenticate} of a 401; empty for none.
     *
     * @param hasToken whether the request came with a token, which is not valid
     */
    Optional<String> forRequest(HttpServletRequest request, boolean hasToken);
}
