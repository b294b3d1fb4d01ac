package dev.orloj.runtime.oauth;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Authorizes the requests to one server. Thread-safe. */
public interface RequestAuthorization {

    /** Sends requests as the manifest has them. */
    RequestAuthorization NONE =
            new RequestAuthorization() {

                @Override
                public @Nullable AccessToken token() {
                    return null;
                }

                @Override
                public boolean renew(
                        @Nullable AccessToken sent, int status, List<String> challenges) {
                    return false;
                }

                @Override
                public List<String> secrets() {
                    return List.of();
                }
            };

    /**
     * Returns the token for the next request; null as long as the server has not asked for one.
     * Waits for a token only if there is none that is valid.
     *
     * @throws OAuthException when there is no usable token
     */
    @Nullable AccessToken token() throws OAuthException;

    /**
     * Examines the response to a request, and gets another token if the response asks for one.
     *
     * @param sent the token that the request carried
     * @param challenges the values of {@code WWW-Authenticate}
     * @return whether the request is to be sent again
     * @throws OAuthException when the server asks for a token, and there is none that it may accept
     */
    boolean renew(@Nullable AccessToken sent, int status, List<String> challenges)
            throws OAuthException;

    /** Returns values that must not be shown. */
    List<String> secrets();
}
