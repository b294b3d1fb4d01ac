package dev.orloj.runtime.client;

import dev.orloj.runtime.trace.CallTracer;
import dev.orloj.runtime.transport.http.ParameterHeaders;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.Map;

/**
 * A request to a server on behalf of a client.
 *
 * @param params sent unchanged, except the {@code progressToken} in their {@code _meta}, which the
 *     session sets
 * @param mirrored arguments that are repeated as headers, over HTTP since 2026-07-28
 * @param client the client, which may receive requests of the server
 * @param tracer records the phases and the sizes of the call
 */
public record SessionRequest(
        String method,
        ObjectNode params,
        Duration timeout,
        ProgressListener progress,
        ParameterHeaders mirrored,
        RequestingClient client,
        CallTracer tracer) {

    /** Creates a request with a tracer of its own. */
    public SessionRequest(
            String method,
            ObjectNode params,
            Duration timeout,
            ProgressListener progress,
            ParameterHeaders mirrored,
            RequestingClient client) {
        this(method, params, timeout, progress, mirrored, client, new CallTracer());
    }

    /** Creates a request without headers, for a client that accepts no requests. */
    public SessionRequest(
            String method, ObjectNode params, Duration timeout, ProgressListener progress) {
        this(method, params, timeout, progress, ParameterHeaders.NONE, RequestingClient.NONE);
    }

    Map<String, String> mirroredHeaders() {
        return params.get("arguments") instanceof ObjectNode arguments
                ? mirrored.of(arguments)
                : Map.of();
    }

    /** Omits the params, which may be secret. */
    @Override
    public String toString() {
        return "SessionRequest[" + method + "]";
    }
}
