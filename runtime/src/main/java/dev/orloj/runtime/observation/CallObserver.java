package dev.orloj.runtime.observation;

import java.util.function.Supplier;

/**
 * Observes calls: the requests of clients at the front doors, the tool calls that they make, and
 * the requests to servers that follow from both. A request of a client may make several calls, and
 * a suspended call outlives its request. Called concurrently on the threads of the calls;
 * implementations return at once.
 */
@FunctionalInterface
public interface CallObserver {

    CallObserver NONE = _ -> {};

    /**
     * A front door received a request.
     *
     * @param request describes it; called only by observers of such requests
     * @return the observer of its end
     */
    default RequestObserver served(Supplier<ServedRequest> request) {
        return RequestObserver.NONE;
    }

    /**
     * A request on behalf of a client is about to be sent to a server.
     *
     * @return the observer of its end
     */
    default RequestObserver sent(SentRequest request) {
        return RequestObserver.NONE;
    }

    /** A tool call has ended. */
    void called(CallRecord call);
}
