package dev.orloj.server.rest.call;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerExceptionResolver;

import java.io.IOException;
import java.io.Serial;
import java.util.regex.Pattern;

/**
 * Takes tool calls out of the chain right before the dispatcher, because looking up a handler costs
 * half as much as the whole call. All other filters have run, and errors become responses in the
 * same place as for other endpoints.
 */
@Component
@Order(Ordered.LOWEST_PRECEDENCE)
final class ToolCallFilter extends HttpFilter {

    @Serial private static final long serialVersionUID = 1L;

    private static final String CALL_END = "/call";
    private static final Pattern CALL =
            Pattern.compile("/apis/orloj\\.dev/v1/namespaces/[^/]+/tools/[^/]+" + CALL_END);

    private final transient ToolCallEndpoint endpoint;
    private final transient HandlerExceptionResolver errors;

    ToolCallFilter(
            ToolCallEndpoint endpoint,
            @Qualifier("handlerExceptionResolver") HandlerExceptionResolver errors) {
        this.endpoint = endpoint;
        this.errors = errors;
    }

    static boolean isCall(HttpServletRequest request) {
        String path = request.getRequestURI();
        return path.endsWith(CALL_END) && CALL.matcher(path).matches();
    }

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!isCall(request)) {
            chain.doFilter(request, response);
            return;
        }
        try {
            endpoint.call(request, response);
        } catch (Exception e) { // the edge: the advice makes the response, as for all endpoints
            if (errors.resolveException(request, response, null, e) == null) {
                throw new ServletException(e);
            }
        }
    }
}
