package dev.orloj.server.disconnect;

import dev.orloj.runtime.reading.AnswerScope;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

import java.io.IOException;
import java.io.Serial;

/** Counts the memory of a large response until its client has read it, or is gone. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 8)
final class ResponseMemoryFilter extends HttpFilter {

    @Serial private static final long serialVersionUID = 1L;

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        AnswerScope.<IOException, ServletException>run(
                () -> {
                    chain.doFilter(request, response);
                    // Tomcat writes the last of it after its filters, when the tree is gone.
                });
    }
}
