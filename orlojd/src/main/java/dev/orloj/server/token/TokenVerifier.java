package dev.orloj.server.token;

import dev.orloj.server.authentication.InvalidCredentialException;

import java.util.List;
import java.util.Optional;

/** Verifies one kind of token. Safe for many threads. */
interface TokenVerifier {

    /** The audience of the API, which every token without another one is for. */
    String API_AUDIENCE = "https://orloj.default.svc";

    /** A token that is longer is of no kind that is issued here. */
    int MAX_LENGTH = 16 * 1024;

    /**
     * Returns what the token says; empty when it is of another kind.
     *
     * @param audiences the token must be for one of them
     * @throws InvalidCredentialException when it is of this kind and does not count
     */
    Optional<VerifiedToken> verify(String token, List<String> audiences)
            throws InvalidCredentialException;
}
