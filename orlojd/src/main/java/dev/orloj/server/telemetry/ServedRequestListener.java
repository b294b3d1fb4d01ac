package dev.orloj.server.telemetry;

import dev.orloj.runtime.observation.RequestObserver;

/**
 * Observes requests to orlojd, over MCP and over REST. Called on the threads of the requests,
 * concurrently; implementations return at once.
 */
@FunctionalInterface
public interface ServedRequestListener {

    /** Callers that have this listener need not even build the request. */
    ServedRequestListener NONE = _ -> RequestObserver.NONE;

    /**
     * Observes the start of a request.
     *
     * @return the observer of its end; an error code is that of JSON-RPC, or the HTTP status for
     *     {@link ServedRequest.ToolCall}
     */
    RequestObserver asked(ServedRequest request);
}
