package dev.orloj.server.access;

import dev.orloj.api.ApiException;
import dev.orloj.server.authorization.Attributes;
import dev.orloj.server.mcp.legacysse.LegacySsePath;
import dev.orloj.server.mcp.protocol.EndpointScope;
import dev.orloj.server.rest.request.ApiPath;

import jakarta.servlet.http.HttpServletRequest;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads what a request does, as kube-apiserver does, and for the MCP endpoints. */
final class RequestAttributes {

    private static final String ORLOJ = "orloj.dev";

    private static final Pattern AMBIGUOUS =
            Pattern.compile("//|[;\\\\]|(?i)/(\\.|%2e){1,2}(/|$)|%(2f|5c|3b|00)");

    private RequestAttributes() {}

    /**
     * Returns what has to be allowed, all of it.
     *
     * @throws ApiException (BadRequest) when the path is ambiguous, or cannot be decoded
     */
    static List<Attributes> of(HttpServletRequest request) {
        String path = request.getRequestURI();
        requireUnambiguous(path);
        if (path.startsWith("/api/") || path.startsWith("/apis/")) {
            Optional<ApiPath> resource = ApiPath.of(request);
            if (resource.isPresent()) {
                return List.of(of(request, resource.get()));
            }
        }
        return isMcp(path)
                ? List.of()
                : List.of(
                        new Attributes.OfPath(request.getMethod().toLowerCase(Locale.ROOT), path));
    }

    /** These endpoints are open to every user, and show each what it may use. */
    private static boolean isMcp(String path) {
        return LegacySsePath.parse(path).isPresent() || EndpointScope.parse(path).isPresent();
    }

    /** What is authorized must be what an endpoint then reads, so no path may have two readings. */
    private static void requireUnambiguous(String path) {
        if (!isPlain(path) && AMBIGUOUS.matcher(path).find()) {
            throw ApiException.badRequest(
                    "the path has empty segments, dots for segments, a backslash or parameters"
                            + " after a semicolon; leave them out");
        }
    }

    /** Returns whether a path has nothing that the pattern could match, in a tenth of its time. */
    private static boolean isPlain(String path) {
        return path.indexOf('%') < 0
                && path.indexOf(';') < 0
                && path.indexOf('\\') < 0
                && !path.contains("//")
                && !path.contains("/.");
    }

    private static Attributes connect(String namespace, String server) {
        return new Attributes.OfResource("connect", ORLOJ, "mcpservers", "", namespace, server);
    }

    private static Attributes of(HttpServletRequest request, ApiPath path) {
        String subresource = String.join("/", path.rest());
        boolean isNamespace = path.group().isEmpty() && path.plural().equals("namespaces");
        String namespace = isNamespace ? path.name() : path.namespace();
        if (isRead(path)) {
            return connect(namespace, path.name());
        }
        if (isCall(request, path)) {
            return new Attributes.OfResource(
                    "call", ORLOJ, path.plural(), "", namespace, path.name());
        }
        String verb = isDecision(request, path) ? "approve" : verb(request, path);
        return new Attributes.OfResource(
                verb,
                path.group(),
                path.plural(),
                path.rest().isEmpty() ? subresource : path.rest().getFirst(),
                namespace,
                path.name().isEmpty() && (verb.equals("list") || verb.equals("watch"))
                        ? selectedName(request)
                        : path.name());
    }

    /** To read a resource of a server is to use the server, not to look at its description. */
    private static boolean isRead(ApiPath path) {
        return path.group().equals(ORLOJ)
                && path.plural().equals("mcpservers")
                && path.rest().equals(List.of("resources", "read"));
    }

    private static boolean isCall(HttpServletRequest request, ApiPath path) {
        return request.getMethod().equals("POST")
                && path.group().equals(ORLOJ)
                && path.plural().equals("tools")
                && path.rest().size() == 1
                && path.rest().getFirst().equals("call");
    }

    /** To serve a definition that a server has changed is a right of its own. */
    private static boolean isDecision(HttpServletRequest request, ApiPath path) {
        return request.getMethod().equals("POST")
                && path.group().equals(ORLOJ)
                && path.plural().equals("mcpservers")
                && path.rest().equals(List.of("approval"));
    }

    private static String verb(HttpServletRequest request, ApiPath path) {
        return switch (request.getMethod()) {
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> path.name().isEmpty() ? "deletecollection" : "delete";
            case "GET", "HEAD" -> {
                if (!path.name().isEmpty()) {
                    yield "get";
                }
                String watch = request.getParameter("watch");
                yield watch != null && !watch.equals("false") && !watch.equals("0")
                        ? "watch"
                        : "list";
            }
            default -> request.getMethod().toLowerCase(Locale.ROOT);
        };
    }

    private static String selectedName(HttpServletRequest request) {
        String selector = request.getParameter("fieldSelector");
        if (selector == null) {
            return "";
        }
        for (String term : selector.split(",")) {
            if (term.startsWith("metadata.name=")) {
                return term.substring("metadata.name=".length()).replaceFirst("^=", "");
            }
        }
        return "";
    }
}
