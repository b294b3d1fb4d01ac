package dev.orloj.runtime.oauth;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What a client authenticates itself with at a token endpoint. {@code toString} shows no secret.
 *
 * @param clientId the identifier that the authorization server gave to the client
 * @param secret null without one
 * @param privateKey PKCS #8 in PEM, or a JWK; null without one
 * @param method the only method to use; null for one that the authorization server supports
 */
public record ClientAuthentication(
        String clientId,
        @Nullable String secret,
        @Nullable String privateKey,
        @Nullable Method method) {

    /** The methods of RFC 7591 and OpenID Connect that are supported. */
    public enum Method {
        CLIENT_SECRET_BASIC,
        CLIENT_SECRET_POST,
        PRIVATE_KEY_JWT,
        NONE;

        /** Returns the name in metadata. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Returns the method of a name; empty for one that is not supported. */
        public static Optional<Method> of(String text) {
            return Arrays.stream(values()).filter(each -> each.text().equals(text)).findFirst();
        }
    }

    /** Returns whether the token endpoint receives a secret of the client. */
    boolean sendsSecret() {
        return secret != null && privateKey == null;
    }

    /** Returns whether a method can be used with what the client has. */
    boolean allows(Method candidate) {
        return (method == null || method == candidate)
                && switch (candidate) {
                    case PRIVATE_KEY_JWT -> privateKey != null;
                    case CLIENT_SECRET_BASIC, CLIENT_SECRET_POST ->
                            secret != null && privateKey == null;
                    case NONE -> secret == null && privateKey == null;
                };
    }

    @Override
    public String toString() {
        return "ClientAuthentication[clientId=" + clientId + "]";
    }
}
