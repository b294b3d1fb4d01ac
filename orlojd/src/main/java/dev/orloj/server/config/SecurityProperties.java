package dev.orloj.server.config;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Who may reach the server.
 *
 * @param insecureRemoteAccess whether requests may come from elsewhere than this machine, although
 *     nothing is authenticated
 */
@ConfigurationProperties("orloj.security")
public record SecurityProperties(@DefaultValue("false") boolean insecureRemoteAccess) {}
