package dev.orloj.runtime.session;

import dev.orloj.runtime.client.ServerIdentity;
import dev.orloj.runtime.client.SessionRequest;
import dev.orloj.runtime.observation.ObservedRequest;
import dev.orloj.runtime.observation.RequestEnd;
import dev.orloj.runtime.observation.RequestObserver;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.runtime.trace.CallTracer;

import tools.jackson.databind.JsonNode;

import java.util.OptionalLong;

/** Tells an observer how a request ended, whichever way that was. */
record RequestObservation(RequestObserver observer) {

    /** Something that sends the request and waits for its answer. */
    @FunctionalInterface
    interface Exchange {

        JsonNode send() throws InterruptedException;
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
                                request.params())));
    }

    /** Answers and throws what the exchange does. */
    JsonNode during(Exchange exchange) throws InterruptedException {
        CallTracer tracer = CallTracer.current();
        RequestEnd end = RequestEnd.failed(null, OptionalLong.empty());
        try {
            JsonNode result = exchange.send();
            end = RequestEnd.answered(result, tracer.requestId());
            return result;
        } catch (RuntimeException e) { // whatever it is, it goes on its way
            end = RequestEnd.failed(e, tracer.requestId());
            throw e;
        } catch (InterruptedException e) {
            end = RequestEnd.failed(null, tracer.requestId());
            throw e;
        } finally {
            observer.ended(end);
        }
    }
}
