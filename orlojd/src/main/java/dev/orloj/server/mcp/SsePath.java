package dev.orloj.server.mcp;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * One of the two paths of HTTP+SSE, below that of an endpoint. {@code /mcp/sse} is none, for it is
 * the endpoint of a namespace of that name.
 */
record SsePath(Scope scope, Part part) {

    private static final String ENDPOINTS = "/mcp/";

    enum Part {
        /** Where the agent listens. */
        SSE("sse"),
        /** Where the agent speaks. */
        MESSAGES("messages");

        private final String segment;

        Part(String segment) {
            this.segment = segment;
        }

        private static Optional<Part> of(String segment) {
            return Stream.of(values()).filter(part -> part.segment.equals(segment)).findFirst();
        }
    }

    /** Reads the path of a request; empty when it is none of these. */
    static Optional<SsePath> parse(String path) {
        int end = path.lastIndexOf('/');
        if (end <= ENDPOINTS.length() || !path.startsWith(ENDPOINTS)) {
            return Optional.empty();
        }
        return Part.of(path.substring(end + 1))
                .flatMap(
                        part ->
                                Scope.parse(path.substring(0, end))
                                        .map(scope -> new SsePath(scope, part)));
    }
}
