package dev.orloj.server.mcp.elicitation;

import dev.orloj.server.mcp.protocol.ProtocolError;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The way to calls that are parked at another replica. Thread-safe. */
@FunctionalInterface
public interface RemoteSuspendedCalls {

    /**
     * Has the owner do the next round of a call.
     *
     * @param responses of the agent
     * @throws ProtocolError when it ends with an error
     * @throws SuspendedCallLostException when the call, or its owner, is not there any more
     * @throws InterruptedException when the agent is gone; the owner cancels the call
     */
    ObjectNode proceed(RequestStates.State state, JsonNode responses, CallingClient agent)
            throws InterruptedException, SuspendedCallLostException;
}
