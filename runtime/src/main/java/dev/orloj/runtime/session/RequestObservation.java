package dev.orloj.runtime.session;

import dev.orloj.runtime.client.ServerIdentity;
import dev.orloj.runtime.client.SessionRequest;
import dev.orloj.runtime.observation.ObservedRequest;
import dev.orloj.runtime.observation.RequestEnd;
import dev.orloj.runtime.observation.RequestObserver;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.trace.CallTracer;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/**
 * Reports the end of one request to its observer when it is closed: as an interrupt, unless {@link
 * #answered} or {@link #failed} was called before. For one thread.
 */
final class RequestObservation implements AutoCloseable {

    private final RequestObserver observer;
    private final CallTracer tracer;
    private @Nullable JsonNode result;
    private @Nullable RuntimeException failure;

    private RequestObservation(RequestObserver observer, CallTracer tracer) {
        this.tracer = tracer;
        this.observer = observer;
    }

    static RequestObservation begin(
            SessionListener listener,
            ServerDefinition definition,
            String session,
            ServerIdentity identity,
            SessionRequest request) {
        return new RequestObservation(
                listener.requested(
                        new ObservedRequest(
                                definition.server(),
                                definition.address(),
                                session,
                                identity.protocolVersion(),
                                request.method(),
                                request.params())),
                request.tracer());
    }

    void answered(JsonNode answer) {
        result = answer;
    }

    void failed(RuntimeException cause) {
        failure = cause;
    }

    @Override
    public void close() {
        observer.ended(
                result == null
                        ? RequestEnd.failed(failure, tracer.requestId())
                        : RequestEnd.answered(result, tracer.requestId()));
    }
}
