package dev.orloj.runtime.oauth;

import dev.orloj.runtime.subject.SubjectException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.Optional;

/** There is no usable access token. The message has the cause and the remedy, and no secret. */
public final class OAuthException extends IOException {

    private static final long serialVersionUID = 1L;

    private static final String METADATA =
            "the metadata of the server or of its authorization server cannot be used";

    private final OAuthFailure failure;
    private final boolean passing;
    private final String error;

    private OAuthException(
            OAuthFailure failure,
            String message,
            String error,
            boolean passing,
            @Nullable Throwable cause) {
        super(message, cause);
        this.failure = failure;
        this.error = error;
        this.passing = passing;
    }

    /** Creates a failure that lasts until the configuration changes. */
    static OAuthException lasting(OAuthFailure failure, String message) {
        return new OAuthException(failure, message, "", false, null);
    }

    /** Creates a failure that may pass by itself, such as that of a connection. */
    static OAuthException passing(OAuthFailure failure, String message, @Nullable Throwable cause) {
        return new OAuthException(failure, message, "", true, cause);
    }

    /**
     * Creates a failure that a token endpoint answers with.
     *
     * @param error the code of RFC 6749, 5.2; empty without one
     */
    static OAuthException refused(String message, String error, boolean passing) {
        return new OAuthException(OAuthFailure.TOKEN_FAILED, message, error, passing, null);
    }

    /** Returns the error code of the token endpoint. Empty without one. */
    String error() {
        return error;
    }

    public OAuthFailure failure() {
        return failure;
    }

    /**
     * Returns the failure of a request on behalf of a user. The user gets to know what is wrong
     * with their token, but not the URLs of the metadata, one of which is that of the server.
     */
    public SubjectException ofUser() {
        String message = String.valueOf(getMessage());
        return failure == OAuthFailure.DISCOVERY_FAILED
                ? new SubjectException(METADATA, message, this)
                : new SubjectException(message, "", this);
    }

    /** Returns whether another attempt may succeed without a change of the configuration. */
    public boolean mayPass() {
        return passing;
    }

    /** Returns the first such failure among the causes of another one. */
    public static Optional<OAuthException> in(@Nullable Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof OAuthException found) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
    }
}
