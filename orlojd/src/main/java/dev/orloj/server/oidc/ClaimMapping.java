package dev.orloj.server.oidc;

/**
 * The claim that a name comes from.
 *
 * @param prefix what the name begins with, so that it cannot be the name of a user of another
 *     source; may be empty
 */
record ClaimMapping(String claim, String prefix) {}
