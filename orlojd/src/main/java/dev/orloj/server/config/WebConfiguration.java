package dev.orloj.server.config;

import dev.orloj.server.properties.InvalidConfigurationException;
import dev.orloj.server.properties.McpProperties;
import dev.orloj.server.properties.SecurityProperties;
import dev.orloj.server.security.AllowedOrigins;
import dev.orloj.server.security.LoopbackGuard;
import dev.orloj.server.security.MediaTypeGuard;
import dev.orloj.server.security.WebPageGuard;

import jakarta.servlet.Filter;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

import java.net.InetAddress;
import java.util.Set;

/** Wires the checks that every HTTP request passes. */
@Configuration(proxyBeanMethods = false)
class WebConfiguration {

    @Bean
    FilterRegistrationBean<LoopbackGuard> loopbackGuard(
            SecurityProperties properties, ServerProperties server) {
        boolean isOpen = properties.insecureRemoteAccess();
        if (!isOpen) {
            requireLoopback(server.getAddress());
        }
        FilterRegistrationBean<LoopbackGuard> registration =
                new FilterRegistrationBean<>(new LoopbackGuard());
        registration.setEnabled(!isOpen);
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return registration;
    }

    @Bean
    FilterRegistrationBean<WebPageGuard> webPageGuard(
            SecurityProperties properties, McpProperties mcp) {
        return ordered(
                1,
                new WebPageGuard(
                        origins("orloj.security.allowed-origins", properties.allowedOrigins()),
                        origins("orloj.mcp.allowed-origins", mcp.allowedOrigins())));
    }

    /** After the filters of the HTTPS port, which first find out who it is. */
    @Bean
    FilterRegistrationBean<MediaTypeGuard> mediaTypeGuard() {
        return ordered(7, new MediaTypeGuard());
    }

    private static <F extends Filter> FilterRegistrationBean<F> ordered(int place, F filter) {
        FilterRegistrationBean<F> registration = new FilterRegistrationBean<>(filter);
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE + place);
        return registration;
    }

    private static AllowedOrigins origins(String property, Set<String> origins) {
        try {
            return new AllowedOrigins(property, origins);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationException(String.valueOf(e.getMessage()));
        }
    }

    /** The option is checked earlier; the address may come from the environment or a file, too. */
    private static void requireLoopback(@Nullable InetAddress address) {
        if (address == null || !address.isLoopbackAddress()) {
            throw new InvalidConfigurationException(
                    "server.address (SERVER_ADDRESS) is \"%s\", which is reachable from other machines, and nothing is authenticated yet; leave it out, or set orloj.security.insecure-remote-access (--insecure-remote-access) if you mean it"
                            .formatted(address == null ? "" : address.getHostAddress()));
        }
    }
}
