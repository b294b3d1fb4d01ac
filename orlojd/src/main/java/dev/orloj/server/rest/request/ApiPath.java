package dev.orloj.server.rest.request;

import dev.orloj.server.rest.http.PercentEncoding;

import jakarta.servlet.http.HttpServletRequest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A parsed path of the resource API. Parts that the path does not have are empty.
 *
 * @param namespace empty in paths of cluster-scoped resources and of all namespaces together
 * @param rest what follows the name: the subresource, in parts
 */
public record ApiPath(
        String group,
        String version,
        String namespace,
        String plural,
        String name,
        List<String> rest) {

    private static final String PARSED = ApiPath.class.getName();
    private static final Set<String> PARTS_OF_A_NAMESPACE = Set.of("status", "finalize");

    public ApiPath {
        rest = List.copyOf(rest);
    }

    /** The path of a request, for as long as its URI stays the same: filters may wrap it. */
    private record Parsed(String uri, Optional<ApiPath> path) {}

    /**
     * Parses the path of a request. Filters and endpoints do so in turn, and share one result.
     *
     * @return empty when the path is not that of a resource
     * @throws dev.orloj.api.ApiException (BadRequest) when the encoding is invalid
     */
    public static Optional<ApiPath> of(HttpServletRequest request) {
        String uri = request.getRequestURI();
        if (request.getAttribute(PARSED) instanceof Parsed known && known.uri().equals(uri)) {
            return known.path();
        }
        Optional<ApiPath> path = parse(uri);
        request.setAttribute(PARSED, new Parsed(uri, path));
        return path;
    }

    /**
     * Parses {@code /api/v1/...} and {@code /apis/GROUP/VERSION/...}, still percent-encoded.
     *
     * @return empty when the path is not that of a resource
     * @throws dev.orloj.api.ApiException (BadRequest) when the encoding is invalid
     */
    public static Optional<ApiPath> parse(String rawPath) {
        List<String> segments = segments(rawPath);
        int skipped = segments.getFirst().equals("api") ? 2 : 3;
        if (segments.size() <= skipped || segments.contains("")) {
            return Optional.empty();
        }
        String group = skipped == 2 ? "" : segments.get(1);
        String version = segments.get(skipped - 1);
        List<String> parts = segments.subList(skipped, segments.size());
        boolean inNamespace =
                parts.getFirst().equals("namespaces")
                        && parts.size() > 2
                        && !PARTS_OF_A_NAMESPACE.contains(parts.get(2));
        String namespace = inNamespace ? parts.get(1) : "";
        List<String> resource = inNamespace ? parts.subList(2, parts.size()) : parts;
        return Optional.of(
                new ApiPath(
                        group,
                        version,
                        namespace,
                        resource.getFirst(),
                        resource.size() > 1 ? resource.get(1) : "",
                        resource.size() > 2 ? resource.subList(2, resource.size()) : List.of()));
    }

    private static List<String> segments(String rawPath) {
        List<String> segments = new ArrayList<>();
        int end = rawPath.length() - (rawPath.endsWith("/") ? 1 : 0);
        int begin = Math.min(1, end);
        for (int slash = rawPath.indexOf('/', begin);
                slash >= 0 && slash < end;
                slash = rawPath.indexOf('/', begin)) {
            segments.add(PercentEncoding.decode("path", rawPath.substring(begin, slash)));
            begin = slash + 1;
        }
        segments.add(PercentEncoding.decode("path", rawPath.substring(begin, end)));
        return segments;
    }
}
