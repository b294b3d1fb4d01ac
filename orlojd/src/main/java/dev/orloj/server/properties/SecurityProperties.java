package dev.orloj.server.properties;

import dev.orloj.api.Frozen;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.util.Set;

/**
 * Who may reach the server.
 *
 * @param insecureRemoteAccess whether requests may come from elsewhere than this machine, although
 *     nothing is authenticated
 * @param allowedOrigins web pages that may use everything beside those of orlojd itself, such as
 *     {@code http://localhost:3000}
 */
@ConfigurationProperties("orloj.security")
public record SecurityProperties(
        @DefaultValue("false") boolean insecureRemoteAccess,
        @DefaultValue Set<String> allowedOrigins) {

    public SecurityProperties {
        allowedOrigins = Frozen.set(allowedOrigins);
    }
}
