package dev.orloj.server.security;

import dev.orloj.api.ErrorReason;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;
import java.util.Locale;
import java.util.Set;

/**
 * Requires writes to name a media type that a browser sends to another origin only after a
 * preflight request: JSON, YAML or protobuf, even without a body. A form or an unauthorized script
 * can send none of these, whatever other headers the browser sends or omits. The type may be
 * missing only when the request shows that neither a form nor such a script has sent it.
 */
public final class MediaTypeGuard implements RequestGuard {

    private static final Set<String> WRITES = Set.of("POST", "PUT", "PATCH");
    private static final Set<String> TYPES =
            Set.of(
                    "application/json",
                    "application/yaml",
                    "application/vnd.kubernetes.protobuf",
                    "application/zip");

    @Override
    public boolean admits(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String type = request.getContentType();
        if (!isWrite(request)
                || (type == null || type.isBlank() ? isUnforgeable(request) : isAllowed(type))) {
            return true;
        }
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
        return false;
    }

    private static boolean isWrite(HttpServletRequest request) {
        String method = request.getMethod();
        return WRITES.contains(method) || method.equals("DELETE") && hasBody(request);
    }

    private static boolean hasBody(HttpServletRequest request) {
        return request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
    }

    /**
     * Returns whether no web page can have sent the request without authorization. Browsers send a
     * preflight request for every method except GET, HEAD and POST. They always send Accept, state
     * the origin of a POST, even if it is {@code null}, and let no script set Upgrade, with which
     * {@code kubectl exec} requests a stream. A form always has a type and accepts more than JSON.
     * The Kubernetes client for Python sends JSON without a type and accepts JSON by name.
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
