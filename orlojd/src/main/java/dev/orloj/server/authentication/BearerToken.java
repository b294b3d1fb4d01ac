package dev.orloj.server.authentication;

import jakarta.servlet.http.HttpServletRequest;

import java.util.Optional;

/** Reads the bearer token of a request, as kube-apiserver does. */
public final class BearerToken {

    private static final String SCHEME = "bearer ";

    private static final String READ = BearerToken.class.getName();

    private BearerToken() {}

    /** Returns the token; empty when the request has none, or a credential of another scheme. */
    @SuppressWarnings("unchecked") // only this class writes the attribute
    public static Optional<String> of(HttpServletRequest request) {
        Optional<String> known = (Optional<String>) request.getAttribute(READ);
        if (known == null) { // the authenticators read it in turn
            known = read(request);
            request.setAttribute(READ, known);
        }
        return known;
    }

    private static Optional<String> read(HttpServletRequest request) {
        String header = request.getHeader("Authorization");
        if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Optional.empty();
        }
        return Optional.of(header.substring(SCHEME.length()).strip())
                .filter(token -> !token.isEmpty());
    }
}
