package dev.orloj.runtime.transport;

import dev.orloj.api.Frozen;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A request to a server. {@code toString} shows neither parameters nor values of headers.
 *
 * @param headers what HTTP carries beside the message, for those who do not read it (2026-07-28,
 *     Streamable HTTP, "Request Metadata"); other transports have no use for them
 * @param asked hears what the server asks while it works on the request, where the transport can
 *     tell; called on the thread that reads from the server, it returns at once
 * @param notified takes what the server says unasked while it works on the request, where the
 *     transport can tell, unless it is for others; called and returns like {@code asked}
 */
public record OutgoingRequest(
        String method,
        @Nullable JsonNode params,
        Map<String, String> headers,
        Consumer<ServerRequest> asked,
        Predicate<Notification> notified) {

    public static final String INITIALIZE = "initialize";
    static final String DISCOVER = "server/discover";

    public OutgoingRequest {
        headers = Frozen.map(headers);
    }

    /** One during which the server is told that nobody can be asked. */
    public OutgoingRequest(String method, @Nullable JsonNode params, Map<String, String> headers) {
        this(method, params, headers, ServerRequest::refuse, _ -> false);
    }

    public OutgoingRequest(String method, @Nullable JsonNode params) {
        this(method, params, Map.of());
    }

    public OutgoingRequest withAsked(Consumer<ServerRequest> listener) {
        return new OutgoingRequest(method, params, headers, listener, notified);
    }

    public OutgoingRequest withNotified(Predicate<Notification> listener) {
        return new OutgoingRequest(method, params, headers, asked, listener);
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
