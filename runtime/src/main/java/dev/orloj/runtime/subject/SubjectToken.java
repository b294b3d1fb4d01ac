package dev.orloj.runtime.subject;

import java.time.Instant;

/**
 * The token with which a user has authenticated at orlojd, for an exchange at its issuer (RFC
 * 8693). {@code toString} does not show it.
 *
 * @param value the token as received
 * @param expiry when it expires
 */
public record SubjectToken(SubjectIdentifier subject, String value, Instant expiry) {

    @Override
    public String toString() {
        return "SubjectToken[subject=" + subject + ", expiry=" + expiry + "]";
    }
}
