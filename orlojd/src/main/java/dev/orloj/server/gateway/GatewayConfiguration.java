package dev.orloj.server.gateway;

import dev.orloj.runtime.gateway.InstallationId;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/** Installs the loop guard of the REST API. */
@Configuration(proxyBeanMethods = false)
class GatewayConfiguration {

    @Bean
    FilterRegistrationBean<GatewayLoopGuard> gatewayLoopGuard(InstallationId own) {
        FilterRegistrationBean<GatewayLoopGuard> filter =
                new FilterRegistrationBean<>(new GatewayLoopGuard(own));
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE + 9);
        return filter;
    }
}
