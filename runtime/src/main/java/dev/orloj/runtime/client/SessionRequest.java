package dev.orloj.runtime.client;

import dev.orloj.runtime.transport.http.ParameterHeaders;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.Map;

/**
 * A request to a server on behalf of a client.
 *
 * @param params sent as they are, except the {@code progressToken} in their {@code _meta}, which is
 *     the session's own
 * @param mirrored arguments that are repeated as headers, over HTTP since 2026-07-28
 * @param client on whose behalf it is; the server may send requests to it
 */
public record SessionRequest(
        String method,
        ObjectNode params,
        Duration timeout,
        ProgressListener progress,
        ParameterHeaders mirrored,
        RequestingClient client) {

    /** A request without headers, for a client that accepts no requests. */
    public SessionRequest(
            String method, ObjectNode params, Duration timeout, ProgressListener progress) {
        this(method, params, timeout, progress, ParameterHeaders.NONE, RequestingClient.NONE);
    }

    Map<String, String> mirroredHeaders() {
        return params.get("arguments") instanceof ObjectNode arguments
                ? mirrored.of(arguments)
                : Map.of();
    }

    /** Params may be secret. */
    @Override
    public String toString() {
        return "SessionRequest[" + method + "]";
    }
}
