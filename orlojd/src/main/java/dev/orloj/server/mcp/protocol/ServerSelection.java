package dev.orloj.server.mcp.protocol;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/** Reads the query parameter with which a client selects some servers of a namespace. */
public final class ServerSelection {

    public static final String NAME = "servers";

    private ServerSelection() {}

    /**
     * Returns the part of an endpoint that a request selects.
     *
     * @throws ProtocolError (400) when it selects nothing, or the endpoint does not support
     *     selection
     */
    public static EndpointScope narrow(EndpointScope scope, HttpServletRequest request) {
        String value = valueIn(request);
        if (value == null) {
            return scope;
        }
        return switch (scope) {
            case EndpointScope.Namespace namespace -> namespace.narrowedTo(names(value));
            case EndpointScope.Server _ ->
                    throw refused("the endpoint of one server shows that server; leave it out");
        };
    }

    /**
     * Requires that the parameter is absent, because the stream of HTTP+SSE and its messages have
     * separate addresses.
     *
     * @throws ProtocolError (400) when it is present
     */
    public static void forbid(HttpServletRequest request) {
        if (valueIn(request) != null) {
            throw refused("it is not served over HTTP+SSE; leave it out");
        }
    }

    private static List<String> names(String value) {
        List<String> names =
                Arrays.stream(value.split(","))
                        .map(String::strip)
                        .filter(s -> !s.isEmpty())
                        .toList();
        if (names.isEmpty()) {
            throw refused("it names no server; give names with commas between, or leave it out");
        }
        return names;
    }

    private static @Nullable String valueIn(HttpServletRequest request) {
        return request.getQueryString() == null ? null : request.getParameter(NAME);
    }

    private static ProtocolError refused(String why) {
        return ProtocolError.invalidRequest(400, "The parameter \"%s\": %s".formatted(NAME, why));
    }
}
