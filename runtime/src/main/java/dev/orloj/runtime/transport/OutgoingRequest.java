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
 * @param headers HTTP headers that repeat parts of the message (2026-07-28, Streamable HTTP,
 *     "Request Metadata"); other transports ignore them
 * @param asked receives requests that the server sends during this request, if the transport can
 *     relate them; called on the thread that reads from the server, and must return at once
 * @param notified receives notifications that the server sends during this request, if the
 *     transport can relate them, and returns false for those that belong to other requests; called
 *     like {@code asked}
 * @param traffic receives the size of the messages, on the thread of the request
 */
public record OutgoingRequest(
        String method,
        @Nullable JsonNode params,
        Map<String, String> headers,
        Consumer<ServerRequest> asked,
        Predicate<Notification> notified,
        Traffic traffic) {

    public static final String INITIALIZE = "initialize";
    static final String DISCOVER = "server/discover";

    /** Receives the size of the messages of a request. */
    @FunctionalInterface
    public interface Traffic {

        Traffic NONE = (_, _, _) -> {};

        /**
         * The request has ended in any way.
         *
         * @param id the JSON-RPC id
         */
        void exchanged(long id, long bytesSent, long bytesReceived);
    }

    public OutgoingRequest {
        headers = Frozen.map(headers);
    }

    /** Creates a request during which server requests are refused. */
    public OutgoingRequest(String method, @Nullable JsonNode params, Map<String, String> headers) {
        this(method, params, headers, ServerRequest::refuse, _ -> false, Traffic.NONE);
    }

    public OutgoingRequest(String method, @Nullable JsonNode params) {
        this(method, params, Map.of());
    }

    public OutgoingRequest withAsked(Consumer<ServerRequest> listener) {
        return new OutgoingRequest(method, params, headers, listener, notified, traffic);
    }

    /**
     * @param listener receives notifications
     * @param measured receives the size of the messages
     */
    public OutgoingRequest observed(Predicate<Notification> listener, Traffic measured) {
        return new OutgoingRequest(method, params, headers, asked, listener, measured);
    }

    /** Whether the request may be cancelled; the first one may not. */
    boolean isCancellable() {
        return !method.equals(INITIALIZE) && !method.equals(DISCOVER);
    }

    @Override
    public String toString() {
        return "OutgoingRequest[method=" + method + ", headers=" + headers.keySet() + "]";
    }
}
