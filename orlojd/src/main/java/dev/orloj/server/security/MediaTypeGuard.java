package dev.orloj.server.security;

import dev.orloj.api.ErrorReason;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;
import java.util.Locale;
import java.util.Set;

/**
 * Requires that writes name a media type that a browser sends to another origin only after it has
 * asked whether it may: JSON, YAML or protobuf, also where there is no body. A form or a script
 * without leave can send none of these, whatever else the browser says or leaves unsaid. The type
 * may be missing only where the request shows that no form and no such script has sent it.
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
        if (!isWrite(request)
                || (type == null || type.isBlank() ? isUnforgeable(request) : isAllowed(type))) {
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
                                    type == null || type.isBlank() ? "none" : "\"" + type + "\""));
        }
    }

    private static boolean isWrite(HttpServletRequest request) {
        String method = request.getMethod();
        return WRITES.contains(method) || method.equals("DELETE") && hasBody(request);
    }

    private static boolean hasBody(HttpServletRequest request) {
        return request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
    }

    /**
     * Whether no page can have sent it without leave: browsers ask before every method but GET,
     * HEAD and POST, always send an Accept, say where a POST comes from, be it {@code null}, and
     * let no script set Upgrade, with which {@code kubectl exec} asks for a stream. A form always
     * has a type, and accepts more than JSON. The Python client of Kubernetes sends JSON without a
     * type and accepts JSON by name.
     */
    private static boolean isUnforgeable(HttpServletRequest request) {
        String accept = request.getHeader("Accept");
        return !request.getMethod().equals("POST")
                || accept == null
                || request.getHeader("Upgrade") != null
                || accept.startsWith("application/json")
                        && request.getHeader("Origin") == null
                        && request.getHeader("Sec-Fetch-Site") == null;
    }

    private static boolean isAllowed(String header) {
        String type = header.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        return TYPES.contains(type)
                || type.startsWith("application/")
                        && type.indexOf(',') < 0
                        && (type.endsWith("+json") || type.endsWith("+yaml"));
    }
}
