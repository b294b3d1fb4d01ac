package dev.orloj.runtime.oauth;

import java.util.List;

/** Gets access tokens for one server. At most one call is in progress at a time. */
interface TokenSource {

    /** Returns whether a token can be requested before the server has asked for one. */
    boolean isEager();

    /**
     * @param challenge of the server; {@link BearerChallenge#NONE} if it did not ask
     * @param scopes that the token must have, in addition to those of the manifest or of the
     *     challenge
     * @throws OAuthException when there is no token
     */
    AccessToken next(BearerChallenge challenge, List<String> scopes) throws OAuthException;

    /** Returns values that must not be shown. */
    List<String> secrets();
}
