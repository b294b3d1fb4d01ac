package dev.orloj.server.mcp.legacysse;

import dev.orloj.server.mcp.protocol.EndpointScope;

import java.util.Optional;

/**
 * One of the two paths of HTTP+SSE, below that of an endpoint. {@code /mcp/sse} is none, because it
 * is the endpoint of a namespace of that name.
 */
public record LegacySsePath(EndpointScope scope, Part part) {

    private static final String ENDPOINTS = "/mcp/";

    enum Part {
        /** The client receives messages here. */
        SSE,
        /** The client posts messages here. */
        MESSAGES;

        private static Optional<Part> of(String segment) {
            return switch (segment) {
                case "sse" -> Optional.of(SSE);
                case "messages" -> Optional.of(MESSAGES);
                default -> Optional.empty();
            };
        }
    }

    /** Parses the path of a request; empty for any other path. */
    public static Optional<LegacySsePath> parse(String path) {
        int end = path.lastIndexOf('/');
        if (end <= ENDPOINTS.length() || !path.startsWith(ENDPOINTS)) {
            return Optional.empty();
        }
        return Part.of(path.substring(end + 1))
                .flatMap(
                        part ->
                                EndpointScope.parse(path.substring(0, end))
                                        .map(scope -> new LegacySsePath(scope, part)));
    }
}
