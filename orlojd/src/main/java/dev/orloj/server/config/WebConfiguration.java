package dev.orloj.server.config;

import dev.orloj.server.security.LoopbackGuard;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/** Who gets past the door. */
@Configuration(proxyBeanMethods = false)
class WebConfiguration {

    @Bean
    FilterRegistrationBean<LoopbackGuard> loopbackGuard(SecurityProperties properties) {
        FilterRegistrationBean<LoopbackGuard> registration =
                new FilterRegistrationBean<>(new LoopbackGuard());
        registration.setEnabled(!properties.insecureRemoteAccess());
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return registration;
    }
}
