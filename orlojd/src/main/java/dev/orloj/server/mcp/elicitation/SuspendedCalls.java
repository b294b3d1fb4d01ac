package dev.orloj.server.mcp.elicitation;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.call.CallOutcome.InputRequired;
import dev.orloj.runtime.clock.Scheduler;
import dev.orloj.server.mcp.protocol.ClientRequest;
import dev.orloj.server.mcp.protocol.MultiRoundTrip;
import dev.orloj.server.mcp.protocol.ProtocolError;
import dev.orloj.server.mcp.protocol.RequestIdentity;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Holds the calls of clients of 2026-07-28 at servers of older revisions that wait for a response
 * of their client. Between its requests the client holds only the state that it sends back.
 * Thread-safe.
 */
public final class SuspendedCalls {

    /** Each keeps a request of its server open, and a virtual thread. */
    static final int MOST = 1_000;

    private final ConcurrentMap<String, Parked> calls = new ConcurrentHashMap<>();
    private final RequestStates states;
    private final String replica;
    private final Duration timeout;
    private final Scheduler clock;

    /**
     * @param request what the client has to repeat, and its identity
     */
    private record Parked(SuspendedCall call, RequestIdentity request) {}

    /**
     * @param replica the name of this one
     * @param timeout limit of the time until the client returns
     */
    public SuspendedCalls(RequestStates states, String replica, Duration timeout, Scheduler clock) {
        this.states = states;
        this.replica = replica;
        this.timeout = timeout;
        this.clock = clock;
    }

    /**
     * Runs the first round of a request.
     *
     * @return its result, or the requests of the server
     * @throws ProtocolError when it ends with an error
     * @throws InterruptedException when the client is gone; the request was cancelled
     */
    ObjectNode begin(
            RequestIdentity request,
            SuspendedCall.Work work,
            ClientRequest first,
            CallingClient caller)
            throws InterruptedException {
        SuspendedCall call =
                new SuspendedCall(
                        UUID.randomUUID().toString(), first, timeout, clock, caller, work);
        return finish(new Parked(call.start(), request));
    }

    /**
     * Runs a later round of a request that is suspended here.
     *
     * @param responses of the client
     * @throws SuspendedCallLostException when it is no longer here
     */
    ObjectNode proceed(String id, JsonNode responses, CallingClient caller)
            throws InterruptedException, SuspendedCallLostException {
        Parked suspended = calls.get(id);
        if (suspended == null) {
            throw new SuspendedCallLostException("it has ended, or orlojd was started again");
        }
        if (!suspended.call().attach(caller, responses)) {
            throw ProtocolError.invalidParams(
                    "\"params.requestState\" is of a request that is being continued already");
        }
        return finish(suspended);
    }

    private ObjectNode finish(Parked suspended) throws InterruptedException {
        boolean isParked = false;
        try {
            // Decided by the turn and not by the result: a server's result may look like one of
            // ours.
            return switch (suspended.call().awaitTurn()) {
                case SuspendedCall.Turn.Ended(ObjectNode ended) -> ended;
                case SuspendedCall.Turn.Asked(ObjectNode requests) -> {
                    ObjectNode result = park(suspended, requests);
                    isParked = true;
                    yield result;
                }
            };
        } finally {
            if (!isParked) {
                forget(suspended);
            }
        }
    }

    private ObjectNode park(Parked suspended, ObjectNode requests) {
        String id = suspended.call().id();
        if (!calls.containsKey(id) && calls.size() >= MOST) {
            throw ProtocolError.internal(
                    "The server asks something, and %d calls wait for answers already"
                            .formatted(MOST),
                    null);
        }
        Instant expiresAt = clock.instant().plus(timeout);
        ObjectNode result =
                Json.MAPPER
                        .createObjectNode()
                        .put(InputRequired.RESULT_TYPE, InputRequired.INPUT_REQUIRED);
        result.set(MultiRoundTrip.REQUESTS, requests);
        result.put(
                MultiRoundTrip.STATE,
                states.seal(
                        new RequestStates.State(
                                id,
                                replica,
                                suspended.request().caller(),
                                suspended.request().digest(),
                                expiresAt)));
        calls.put(id, suspended);
        suspended.call().leave(clock.schedule(timeout, () -> expire(suspended)));
        return result;
    }

    /** A client that returned meanwhile has a round of its own. */
    private void expire(Parked suspended) {
        if (!suspended.call().isAttached()) {
            forget(suspended);
        }
    }

    private void forget(Parked suspended) {
        calls.remove(suspended.call().id());
        suspended.call().cancel();
    }

    /** The name of this replica. */
    String replica() {
        return replica;
    }

    /** The number of suspended calls. */
    int size() {
        return calls.size();
    }
}
