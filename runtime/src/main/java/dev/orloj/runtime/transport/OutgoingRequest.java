package dev.orloj.runtime.transport;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.Map;

/**
 * A request to a server. {@code toString} shows neither parameters nor values of headers.
 *
 * @param headers what HTTP carries beside the message, for those who do not read it (2026-07-28,
 *     Streamable HTTP, "Request Metadata"); other transports have no use for them
 */
public record OutgoingRequest(
        String method, @Nullable JsonNode params, Map<String, String> headers) {

    static final String INITIALIZE = "initialize";
    static final String DISCOVER = "server/discover";

    public OutgoingRequest {
        headers = Map.copyOf(headers);
    }

    public OutgoingRequest(String method, @Nullable JsonNode params) {
        this(method, params, Map.of());
    }

    /** The first request is no use to a server that is told of its cancellation. */
    boolean isCancellable() {
        return !method.equals(INITIALIZE) && !method.equals(DISCOVER);
    }

    @Override
    public String toString() {
        return "OutgoingRequest[method=" + method + ", headers=" + headers.keySet() + "]";
    }
}
