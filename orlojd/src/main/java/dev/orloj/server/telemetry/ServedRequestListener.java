package dev.orloj.server.telemetry;

import dev.orloj.runtime.observation.RequestObserver;

/**
 * Hears of requests to orlojd, at the doors of agents and of REST. Called on the threads of the
 * requests, several at a time; an implementation returns at once.
 */
@FunctionalInterface
public interface ServedRequestListener {

    /** Who is given this one need not even describe the request. */
    ServedRequestListener NONE = _ -> RequestObserver.NONE;

    /**
     * A request is about to be answered.
     *
     * @return who hears of its end; the code of an error is that of JSON-RPC, or of HTTP for {@link
     *     ServedRequest.ToolCall}
     */
    RequestObserver asked(ServedRequest request);
}
