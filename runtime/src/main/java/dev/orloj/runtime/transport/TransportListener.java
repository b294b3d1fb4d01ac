package dev.orloj.runtime.transport;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/**
 * Hears what a server says unasked. Called on the thread that reads from the server: an
 * implementation returns at once and never calls back into the transport from there.
 */
public interface TransportListener {

    void onNotification(String method, @Nullable JsonNode params);

    /**
     * The server asks something, and the transport cannot tell during which of our requests; else
     * {@link OutgoingRequest#asked} hears of it.
     */
    default void onRequest(ServerRequest request) {
        request.refuse();
    }

    /** The connection died by itself, not by {@link Transport#close}. Called at most once. */
    void onClosed(TransportException cause);
}
