package dev.orloj.server.rest.http;

import dev.orloj.server.properties.ShutdownProperties;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

import java.io.IOException;
import java.io.Serial;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The time between SIGTERM and the end of service. Load balancers notice in this time that orlojd
 * is not ready any more. Requests are answered, and each response closes its connection, so that
 * clients that keep their connections move to other replicas without a failed request. Watches and
 * streams that are open stay open until orlojd stops. Thread-safe.
 */
public final class ShutdownDelay {

    private static final Logger log = LoggerFactory.getLogger(ShutdownDelay.class);

    private final Duration delay;
    private final CountDownLatch skipped = new CountDownLatch(1);
    private volatile boolean stopping = false;

    ShutdownDelay(Duration delay) {
        this.delay = delay;
    }

    /** Begins the delay and returns when it has passed, or was skipped. */
    public void await() {
        stopping = true;
        if (delay.isPositive()) {
            log.atInfo()
                    .addKeyValue("delay", delay)
                    .log("orlojd is not ready any more, and stops after a delay");
        }
        try {
            boolean _ = skipped.await(delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the delay early. */
    public void skip() {
        skipped.countDown();
    }

    /** Returns whether orlojd is about to stop. */
    public boolean isStopping() {
        return stopping;
    }

    final class Filter extends HttpFilter {

        @Serial private static final long serialVersionUID = 1L;

        @Override
        protected void doFilter(
                HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            if (stopping) {
                response.setHeader("Connection", "close");
            }
            chain.doFilter(request, response);
        }
    }

    /** Installs the filter before all others. */
    @Configuration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        ShutdownDelay shutdownDelay(ShutdownProperties properties) {
            return new ShutdownDelay(properties.delay());
        }

        @Bean
        FilterRegistrationBean<Filter> connectionsOfAStoppingServer(ShutdownDelay delay) {
            FilterRegistrationBean<Filter> filter =
                    new FilterRegistrationBean<>(delay.new Filter());
            filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
            return filter;
        }
    }
}
