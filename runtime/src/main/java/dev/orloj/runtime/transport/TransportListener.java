package dev.orloj.runtime.transport;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/**
 * Receives unsolicited messages of a server on the thread that reads from the server. It must
 * return at once and never call the transport from there.
 */
public interface TransportListener {

    void onNotification(String method, @Nullable JsonNode params);

    /**
     * The server sent a request that the transport cannot relate to a request of the client; others
     * go to {@link OutgoingRequest#asked}.
     */
    default void onRequest(ServerRequest request) {
        request.refuse();
    }

    /** The connection failed, other than by {@link Transport#close}. Called at most once. */
    void onClosed(TransportException cause);
}
