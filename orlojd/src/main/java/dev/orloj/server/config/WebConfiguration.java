package dev.orloj.server.config;

import dev.orloj.server.properties.InvalidConfigurationException;
import dev.orloj.server.properties.McpProperties;
import dev.orloj.server.properties.SecurityProperties;
import dev.orloj.server.protectedresource.MetadataEndpoint;
import dev.orloj.server.security.AllowedOrigins;
import dev.orloj.server.security.GuardFilter;
import dev.orloj.server.security.LoopbackGuard;
import dev.orloj.server.security.MediaTypeGuard;
import dev.orloj.server.security.RequestGuard;
import dev.orloj.server.security.SecuredPorts;
import dev.orloj.server.security.WebPageGuard;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Wires the checks that every HTTP request passes. */
@Configuration(proxyBeanMethods = false)
class WebConfiguration {

    private static final Logger log = LoggerFactory.getLogger(WebConfiguration.class);

    /** Before the audit log, which web pages could fill, and before authentication. */
    @Bean
    FilterRegistrationBean<GuardFilter> originGuards(
            SecurityProperties properties,
            ServerProperties server,
            McpProperties mcp,
            ObjectProvider<MetadataEndpoint> metadata) {
        List<RequestGuard> guards = new ArrayList<>();
        if (!properties.insecureRemoteAccess()) {
            requireLoopback(server.getAddress());
            guards.add(new LoopbackGuard());
        }
        guards.add(
                new WebPageGuard(
                        origins("orloj.security.allowed-origins", properties.allowedOrigins()),
                        origins("orloj.mcp.allowed-origins", mcp.allowedOrigins())));
        metadata.ifAvailable(guards::add);
        return ordered(1, guards);
    }

    /**
     * @throws InvalidConfigurationException when any user of another machine could do everything
     */
    @Bean
    SecuredPorts securedPorts(SecurityProperties properties, ServerProperties server) {
        boolean isOpen = properties.insecureAllowAnonymous();
        if (isOpen && !isLoopback(server.getAddress())) {
            throw new InvalidConfigurationException(
                    "orloj.security.insecure-allow-anonymous (--insecure-allow-anonymous) opens the"
                            + " HTTP port to all users, which server.address (--host) makes"
                            + " reachable from other machines; leave one of them out");
        }
        if (isOpen) {
            log.atWarn()
                    .log(
                            "INSECURE: every program of every user of this machine can do"
                                    + " everything through the HTTP port, because of"
                                    + " --insecure-allow-anonymous; leave it out, and orlojctl"
                                    + " client-config gives clients a token");
        }
        return new SecuredPorts(!isOpen);
    }

    /** After the filters of the secured ports, which first find out who it is. */
    @Bean
    FilterRegistrationBean<GuardFilter> contentGuards() {
        return ordered(7, List.of(new MediaTypeGuard()));
    }

    private static FilterRegistrationBean<GuardFilter> ordered(
            int place, List<RequestGuard> guards) {
        FilterRegistrationBean<GuardFilter> registration =
                new FilterRegistrationBean<>(new GuardFilter(guards));
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

    private static boolean isLoopback(@Nullable InetAddress address) {
        return address != null && address.isLoopbackAddress();
    }

    /** The option is checked earlier; the address may come from the environment or a file, too. */
    private static void requireLoopback(@Nullable InetAddress address) {
        if (!isLoopback(address)) {
            throw new InvalidConfigurationException(
                    "server.address (SERVER_ADDRESS) is \"%s\", which is reachable from other machines, and the HTTP port does not encrypt; use --https-host instead, leave it out, or set orloj.security.insecure-remote-access (--insecure-remote-access) if you mean it"
                            .formatted(address == null ? "" : address.getHostAddress()));
        }
    }
}
