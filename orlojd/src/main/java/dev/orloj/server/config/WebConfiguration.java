package dev.orloj.server.config;

import dev.orloj.server.security.LoopbackGuard;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

import java.net.InetAddress;

/** Who gets past the door. */
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

    /** The option is looked at before; the address may come from the environment or a file, too. */
    private static void requireLoopback(@Nullable InetAddress address) {
        if (address == null || !address.isLoopbackAddress()) {
            throw new InvalidConfigurationException(
                    "server.address (SERVER_ADDRESS) is \"%s\", which is reachable from other machines, and nothing is authenticated yet; leave it out, or set orloj.security.insecure-remote-access (--insecure-remote-access) if you mean it"
                            .formatted(address == null ? "" : address.getHostAddress()));
        }
    }
}
