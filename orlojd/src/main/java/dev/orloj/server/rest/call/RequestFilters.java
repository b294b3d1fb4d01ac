package dev.orloj.server.rest.call;

import dev.orloj.server.security.GuardFilter;
import dev.orloj.server.security.OpenPortGuard;
import dev.orloj.server.security.SecuredPorts;

import io.micrometer.observation.ObservationRegistry;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.filter.RequestContextFilter;
import org.springframework.web.filter.ServerHttpObservationFilter;
import org.springframework.web.filter.UrlHandlerFilter;

import java.io.IOException;
import java.io.Serial;
import java.util.List;

/** Replaces filters of Spring that would cost a tool call too much. */
@Configuration(proxyBeanMethods = false)
class RequestFilters {

    private static final String MCP = "/mcp";

    /**
     * Measures requests other than MCP's: tool calls have their own timers, with server and
     * outcome, for a fraction of the cost.
     */
    @Bean
    FilterRegistrationBean<OperatorRequestObservation> requestObservation(
            ObservationRegistry registry) {
        FilterRegistrationBean<OperatorRequestObservation> filter =
                new FilterRegistrationBean<>(new OperatorRequestObservation(registry));
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE + 7);
        filter.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
        return filter;
    }

    /** Keeps Spring Boot from adding its filter, which would measure calls as well. */
    @Bean
    FilterRegistrationBean<ServerHttpObservationFilter> observationOfEveryRequest(
            ObservationRegistry registry) {
        FilterRegistrationBean<ServerHttpObservationFilter> filter =
                new FilterRegistrationBean<>(new ServerHttpObservationFilter(registry));
        filter.setEnabled(false);
        return filter;
    }

    /** Applies to every path, before any endpoint. */
    @Bean
    FilterRegistrationBean<GuardFilter> openPortGuard(SecuredPorts ports) {
        FilterRegistrationBean<GuardFilter> filter =
                new FilterRegistrationBean<>(new GuardFilter(List.of(new OpenPortGuard(ports))));
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE + 8);
        return filter;
    }

    /**
     * Clients that are generated from Kubernetes' OpenAPI request {@code /apis/} and similar paths.
     */
    @Bean
    FilterRegistrationBean<UrlHandlerFilter> trailingSlashes() {
        FilterRegistrationBean<UrlHandlerFilter> filter =
                new FilterRegistrationBean<>(
                        UrlHandlerFilter.trailingSlashHandler(
                                        "/api/**",
                                        "/apis/**",
                                        "/openapi/**",
                                        "/version/",
                                        "/healthz/**",
                                        "/livez/**",
                                        "/readyz/**")
                                .wrapRequest()
                                .build());
        filter.setOrder(ToolCallFilter.ORDER + 1);
        return filter;
    }

    /** The dispatcher makes the same context for those that need one. */
    @Bean
    FilterRegistrationBean<RequestContextFilter> requestContext() {
        FilterRegistrationBean<RequestContextFilter> filter =
                new FilterRegistrationBean<>(new RequestContextFilter());
        filter.setEnabled(false);
        return filter;
    }

    /** Around Spring's filter, which does some work for a request before it leaves it out. */
    static final class OperatorRequestObservation extends HttpFilter {

        @Serial private static final long serialVersionUID = 1L;

        private final transient ServerHttpObservationFilter observation;

        OperatorRequestObservation(ObservationRegistry registry) {
            this.observation = new ServerHttpObservationFilter(registry);
        }

        @Override
        protected void doFilter(
                HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            String path = request.getRequestURI();
            boolean isMcp = path.startsWith(MCP + "/") || path.equals(MCP);
            if (isMcp || ToolCallFilter.isCall(request)) {
                chain.doFilter(request, response);
            } else {
                observation.doFilter(request, response, chain);
            }
        }
    }
}
