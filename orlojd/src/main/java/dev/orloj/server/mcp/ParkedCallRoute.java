package dev.orloj.server.mcp;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The way to calls that are parked at another replica. Thread-safe. */
@FunctionalInterface
interface ParkedCallRoute {

    /**
     * Has the owner do the next round of a call.
     *
     * @param responses of the agent
     * @throws ProtocolError when it ends with an error
     * @throws ParkedCallLostException when the call, or its owner, is not there any more
     * @throws InterruptedException when the agent is gone; the owner cancels the call
     */
    ObjectNode proceed(RequestStates.State state, JsonNode responses, CallingAgent agent)
            throws InterruptedException, ParkedCallLostException;
}
