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
 * The calls of agents of 2026-07-28 at servers of older revisions that wait for an answer of their
 * agent. Between its requests nothing of the agent is left but the state that it brings back.
 * Thread-safe.
 */
public final class SuspendedCalls {

    /** Each keeps a request of its server open, and a thread that costs next to nothing. */
    static final int MOST = 1_000;

    private final ConcurrentMap<String, Parked> calls = new ConcurrentHashMap<>();
    private final RequestStates states;
    private final String replica;
    private final Duration timeout;
    private final Scheduler clock;

    /**
     * @param request what the agent has to repeat, and who it is
     */
    private record Parked(SuspendedCall call, RequestIdentity request) {}

    /**
     * @param replica the name of this one
     * @param timeout how long an agent may take to come back
     */
    public SuspendedCalls(RequestStates states, String replica, Duration timeout, Scheduler clock) {
        this.states = states;
        this.replica = replica;
        this.timeout = timeout;
        this.clock = clock;
    }

    /**
     * Does the first round of a request.
     *
     * @return its result, or what the server wants to know
     * @throws ProtocolError when it ends with an error
     * @throws InterruptedException when the agent is gone; the request was cancelled
     */
    ObjectNode begin(
            RequestIdentity request,
            SuspendedCall.Work work,
            ClientRequest first,
            CallingClient agent)
            throws InterruptedException {
        SuspendedCall call =
                new SuspendedCall(UUID.randomUUID().toString(), first, timeout, agent, work);
        return finish(new Parked(call.start(), request));
    }

    /**
     * Does a later round of a request that was parked here.
     *
     * @param responses of the agent
     * @throws SuspendedCallLostException when it is not here any more
     */
    ObjectNode proceed(String id, JsonNode responses, CallingClient agent)
            throws InterruptedException, SuspendedCallLostException {
        Parked suspended = calls.get(id);
        if (suspended == null) {
            throw new SuspendedCallLostException("it has ended, or orlojd was started again");
        }
        if (!suspended.call().attach(agent, responses)) {
            throw ProtocolError.invalidParams(
                    "\"params.requestState\" is of a request that is being continued already");
        }
        return finish(suspended);
    }

    private ObjectNode finish(Parked suspended) throws InterruptedException {
        boolean isParked = false;
        try {
            // Not read off the result: what a server answers may look like one of ours.
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
        suspended.call().leave(clock.ring(timeout, () -> expire(suspended)));
        return result;
    }

    /** An agent that came back meanwhile has a round of its own. */
    private void expire(Parked suspended) {
        if (!suspended.call().isAttached()) {
            forget(suspended);
        }
    }

    private void forget(Parked suspended) {
        calls.remove(suspended.call().id());
        suspended.call().cancel();
    }

    /** The name of this one. */
    String replica() {
        return replica;
    }

    /** How many wait. */
    int size() {
        return calls.size();
    }
}
