package dev.orloj.server.mcp.elicitation;

import dev.orloj.server.mcp.protocol.ProtocolError;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Forwards rounds to calls that are suspended at another replica. Thread-safe. */
@FunctionalInterface
public interface RemoteSuspendedCalls {

    /**
     * Runs the next round of a call at its owner.
     *
     * @param responses of the client
     * @throws ProtocolError when it ends with an error
     * @throws SuspendedCallLostException when the call, or its owner, no longer exists
     * @throws InterruptedException when the client is gone; the owner cancels the call
     */
    ObjectNode proceed(RequestStates.State state, JsonNode responses, CallingClient caller)
            throws InterruptedException, SuspendedCallLostException;
}
