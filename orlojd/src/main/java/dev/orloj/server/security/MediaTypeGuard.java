package dev.orloj.server.security;

import dev.orloj.api.ErrorReason;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.Locale;
import java.util.Set;

/**
 * Requires that writes name a media type that a browser sends to another origin only after it has
 * asked whether it may: JSON, YAML or protobuf, also where there is no body. A form or a script
 * without leave can send none of these, whatever else the browser says or leaves unsaid.
 */
public final class MediaTypeGuard extends HttpFilter {

    private static final long serialVersionUID = 1L;

    private static final Set<String> WRITES = Set.of("POST", "PUT", "PATCH");
    private static final Set<String> TYPES =
            Set.of("application/json", "application/yaml", "application/vnd.kubernetes.protobuf");

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String type = request.getContentType();
        if (isRead(request) || isAllowed(type)) {
            chain.doFilter(request, response);
        } else {
            Refusals.send(
                    response,
                    ErrorReason.UNSUPPORTED_MEDIA_TYPE,
                    "the Content-Type of a %s must be given, also without a body: %s; found %s"
                            .formatted(
                                    request.getMethod(),
                                    "application/json, application/yaml,"
                                            + " application/vnd.kubernetes.protobuf or a type of a"
                                            + " patch",
                                    type == null ? "none" : "\"" + type + "\""));
        }
    }

    /**
     * Whether nothing is written, or by a method that browsers ask for leave first. No script can
     * set the header Upgrade, with which {@code kubectl exec} asks for a stream.
     */
    private static boolean isRead(HttpServletRequest request) {
        String method = request.getMethod();
        return request.getHeader("Upgrade") != null
                || !WRITES.contains(method) && !(method.equals("DELETE") && hasBody(request));
    }

    private static boolean hasBody(HttpServletRequest request) {
        return request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
    }

    private static boolean isAllowed(@Nullable String header) {
        if (header == null) {
            return false;
        }
        String type = header.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        return TYPES.contains(type)
                || type.startsWith("application/")
                        && type.indexOf(',') < 0
                        && (type.endsWith("+json") || type.endsWith("+yaml"));
    }
}
