package dev.orloj.server.mcp;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One of the two paths of HTTP+SSE, below that of an endpoint. {@code /mcp/sse} is none, for it is
 * the endpoint of a namespace of that name.
 */
record SsePath(Scope scope, Part part) {

    private static final Pattern PATH =
            Pattern.compile("(?<endpoint>/mcp/.+)/(?<part>sse|messages)");

    enum Part {
        /** Where the agent listens. */
        SSE,
        /** Where the agent speaks. */
        MESSAGES
    }

    /** Reads the path of a request; empty when it is none of these. */
    static Optional<SsePath> parse(String path) {
        Matcher matcher = PATH.matcher(path);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        Part part = matcher.group("part").equals("sse") ? Part.SSE : Part.MESSAGES;
        return Scope.parse(matcher.group("endpoint")).map(scope -> new SsePath(scope, part));
    }
}
