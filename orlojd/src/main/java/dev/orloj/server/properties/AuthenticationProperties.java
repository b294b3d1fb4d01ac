package dev.orloj.server.properties;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Settings of tokens of external issuers.
 *
 * @param configFile an AuthenticationConfiguration that names the issuers; absent for none. It is
 *     read again as often as the certificates of the HTTPS port
 * @param requiredScopes what a token of an external issuer has to permit for the MCP endpoints
 * @param retryPeriod after which an issuer that could not be reached is tried again
 * @param keysLifetime after which the keys of an issuer are fetched again
 * @param keysInterval the least time between two fetches for keys that are unknown
 * @param keysOutage how long the last keys count while an issuer cannot be reached
 */
@ConfigurationProperties("orloj.authentication")
public record AuthenticationProperties(
        @Nullable Path configFile,
        @DefaultValue List<String> requiredScopes,
        @DefaultValue("10s") Duration retryPeriod,
        @DefaultValue("5m") Duration keysLifetime,
        @DefaultValue("30s") Duration keysInterval,
        @DefaultValue("4h") Duration keysOutage) {

    public AuthenticationProperties {
        requiredScopes = List.copyOf(requiredScopes);
        for (String scope : requiredScopes) {
            if (!isScope(scope)) {
                throw new InvalidConfigurationException(
                        "orloj.authentication.required-scopes (--mcp-required-scope) has \"%s\"; give scopes such as mcp:tools, and not offline_access"
                                .formatted(scope));
            }
        }
    }

    /**
     * Returns whether a text is a scope of OAuth that a resource can ask for. Whether a client
     * stays connected while its user is away is not for a resource to ask.
     */
    public static boolean isScope(String text) {
        return text.matches("[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,200}")
                && !text.equals("offline_access");
    }
}
