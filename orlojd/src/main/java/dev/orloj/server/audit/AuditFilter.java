package dev.orloj.server.audit;

import dev.orloj.api.ApiException;
import dev.orloj.server.security.Refusals;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.Set;

/**
 * Records every write and every call of the REST API, each checkpoint of ledgers that was taken,
 * and every request that was refused. Comes before authentication, so that refusals are in the log
 * too.
 */
public final class AuditFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;

    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    /** Reads of these are recorded too: it counts who took a checkpoint. */
    private static final String LEDGERS = "/toolledgers/";

    private static final String CALL_ID = "Orloj-Call-Id";
    private static final String NAME = AuditFilter.class.getName() + ".name";

    private final transient AuditLog log;

    AuditFilter(AuditLog log) {
        this.log = log;
    }

    /** Notes the name of the resource that a request creates, which its path does not have. */
    public static void noteName(HttpServletRequest request, String name) {
        request.setAttribute(NAME, name);
    }

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        boolean isRecorded = isRecorded(request);
        boolean own;
        try {
            own = isRecorded && log.reserve();
        } catch (ApiException e) {
            Refusals.send(response, e.toStatus());
            return;
        }
        AuditEntry.Received received = log.received(request);
        int code = HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
        try {
            chain.doFilter(request, response);
            code = response.getStatus();
        } finally {
            if (isRecorded || code == 401 || code == 403) {
                String name = text((String) request.getAttribute(NAME));
                String call = text(response.getHeader(CALL_ID));
                log.add(received, request, new AuditLog.Outcome(code, name, call), own);
            }
        }
    }

    /** Calls of MCP are recorded one by one. */
    private static boolean isRecorded(HttpServletRequest request) {
        String path = request.getRequestURI();
        boolean isRead = READING.contains(request.getMethod()) && !path.contains(LEDGERS);
        return !isRead && (path.startsWith("/apis/") || path.startsWith("/api/"));
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }
}
