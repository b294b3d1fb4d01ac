package dev.orloj.server.rest.request;

import dev.orloj.server.rest.http.PercentEncoding;

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

    private static final Set<String> PARTS_OF_A_NAMESPACE = Set.of("status", "finalize");

    public ApiPath {
        rest = List.copyOf(rest);
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
        for (String segment : rawPath.substring(Math.min(1, end), end).split("/", -1)) {
            segments.add(PercentEncoding.decode("path", segment));
        }
        return segments;
    }
}
