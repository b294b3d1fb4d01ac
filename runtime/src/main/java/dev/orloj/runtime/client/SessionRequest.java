package dev.orloj.runtime.client;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.observation.CallObservation;
import dev.orloj.runtime.observation.CallObserver;
import dev.orloj.runtime.observation.RequestObserver;
import dev.orloj.runtime.observation.SentRequest;
import dev.orloj.runtime.transport.ServerAddress;
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
 * @param observation of the call, to which all that follows reports
 */
public record SessionRequest(
        String method,
        ObjectNode params,
        Duration timeout,
        ProgressListener progress,
        ParameterHeaders mirrored,
        RequestingClient client,
        CallObservation observation) {

    /** Creates a request that nothing observes. */
    public SessionRequest(
            String method,
            ObjectNode params,
            Duration timeout,
            ProgressListener progress,
            ParameterHeaders mirrored,
            RequestingClient client) {
        this(
                method,
                params,
                timeout,
                progress,
                mirrored,
                client,
                new CallObservation(CallObserver.NONE));
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

    /**
     * Reports to the observers of the call that a session is about to send the request.
     *
     * @return the observer of its end
     */
    public RequestObserver sending(
            ResourceKey server, ServerAddress address, String session, String protocolVersion) {
        return observation.sent(
                new SentRequest(
                        server, address, session, protocolVersion, method, params, observation));
    }

    /** Omits the params, which may be secret. */
    @Override
    public String toString() {
        return "SessionRequest[" + method + "]";
    }
}
