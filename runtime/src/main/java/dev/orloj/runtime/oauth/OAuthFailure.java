package dev.orloj.runtime.oauth;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Why there is no usable access token. Each is the reason of a condition. */
public enum OAuthFailure {
    /** A user must log in, because there is no login, or because it has ended. */
    LOGIN_REQUIRED("OAuthLoginRequired"),
    /** The metadata of the server or of its authorization server is missing, wrong or unsafe. */
    DISCOVERY_FAILED("OAuthDiscoveryFailed"),
    /** The authorization server is not the one that the credentials of the manifest are for. */
    ISSUER_REFUSED("OAuthIssuerRefused"),
    /** The authorization server could not be reached, or gives no token. */
    TOKEN_FAILED("OAuthTokenFailed"),
    /** The server refuses a token that was issued for it a moment ago. */
    TOKEN_REJECTED("OAuthTokenRejected"),
    /** The token lacks a scope, and the authorization server does not give it. */
    SCOPE_REFUSED("OAuthScopeRefused");

    private static final Set<String> REASONS =
            Stream.of(values()).map(OAuthFailure::reason).collect(Collectors.toUnmodifiableSet());

    private final String reason;

    OAuthFailure(String reason) {
        this.reason = reason;
    }

    /** Returns the reasons of all failures. */
    public static Set<String> reasons() {
        return REASONS;
    }

    /** Returns the reason in CamelCase, as in conditions. */
    public String reason() {
        return reason;
    }
}
