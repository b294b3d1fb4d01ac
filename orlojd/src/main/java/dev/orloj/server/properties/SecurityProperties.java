package dev.orloj.server.properties;

import dev.orloj.api.Frozen;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.util.Set;

/**
 * Settings of access to the server.
 *
 * @param insecureRemoteAccess whether requests of the HTTP port may come from other machines,
 *     although it does not encrypt
 * @param insecureAllowAnonymous whether every program of this machine may do everything through the
 *     HTTP port
 * @param allowedOrigins web pages that may use all endpoints in addition to those of orlojd itself,
 *     such as {@code http://localhost:3000}
 */
@ConfigurationProperties("orloj.security")
public record SecurityProperties(
        @DefaultValue("false") boolean insecureRemoteAccess,
        @DefaultValue("false") boolean insecureAllowAnonymous,
        @DefaultValue Set<String> allowedOrigins) {

    public SecurityProperties {
        allowedOrigins = Frozen.set(allowedOrigins);
    }
}
