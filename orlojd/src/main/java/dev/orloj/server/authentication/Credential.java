package dev.orloj.server.authentication;

import jakarta.servlet.http.HttpServletRequest;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The credential of a request, if it can end before the request does. An {@link Authenticator}
 * attaches it; the request ends soon after it. Safe for many threads.
 */
public interface Credential {

    /** Returns when it expires; empty when it does not. */
    Optional<Instant> expiry();

    /** Returns whether it still counts. Asked twice a second for each open request. */
    boolean isValid();

    /** A credential that ends by its expiry only. */
    static Credential until(Instant end, InstantSource clock) {
        return new Credential() {
            @Override
            public Optional<Instant> expiry() {
                return Optional.of(end);
            }

            @Override
            public boolean isValid() {
                return clock.instant().isBefore(end);
            }
        };
    }

    static void attach(HttpServletRequest request, Credential credential) {
        request.setAttribute(Credential.class.getName(), credential);
    }

    static Optional<Credential> of(HttpServletRequest request) {
        return Optional.ofNullable((Credential) request.getAttribute(Credential.class.getName()));
    }
}
