package dev.orloj.runtime.subject;

/**
 * A user, as an external issuer identifies the user over time. Tokens and user names may change.
 *
 * @param issuer the identifier of the issuer
 * @param name the {@code sub} that the issuer gives the user
 */
public record SubjectIdentifier(String issuer, String name) {}
