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

/**
 * Takes tool calls out of the chain before the dispatcher, because looking up a handler costs half
 * as much as the whole call. All filters that concern calls have run, and errors become responses
 * in the same place as for other endpoints.
 */
@Component
@Order(ToolCallFilter.ORDER)
final class ToolCallFilter extends HttpFilter {

    @Serial private static final long serialVersionUID = 1L;

    /** The filters after it are of no use to calls: for trailing slashes and for YAML. */
    static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 10;

    private static final String NAMESPACES = "/apis/orloj.dev/v1/namespaces/";
    private static final String TOOLS = "/tools/";
    private static final String CALL = "/call";

    private final transient ToolCallEndpoint endpoint;
    private final transient HandlerExceptionResolver errors;

    ToolCallFilter(
            ToolCallEndpoint endpoint,
            @Qualifier("handlerExceptionResolver") HandlerExceptionResolver errors) {
        this.endpoint = endpoint;
        this.errors = errors;
    }

    /** Without a pattern, since every request is looked at. */
    static boolean isCall(HttpServletRequest request) {
        String path = request.getRequestURI();
        if (!path.startsWith(NAMESPACES)) {
            return false;
        }
        int namespace = NAMESPACES.length();
        int tools = path.indexOf('/', namespace);
        if (tools <= namespace || !path.startsWith(TOOLS, tools)) {
            return false;
        }
        int name = tools + TOOLS.length();
        int call = path.indexOf('/', name);
        if (call <= name || !path.startsWith(CALL, call)) {
            return false;
        }
        int end = call + CALL.length();
        return end == path.length() || end + 1 == path.length() && path.charAt(end) == '/';
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
