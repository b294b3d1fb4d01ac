package dev.orloj.server.mcp;

import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.ErrorResponse;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Response;
import dev.orloj.server.mcp.elicitation.ServerToClientResponses;
import dev.orloj.server.mcp.protocol.ClientSession;
import dev.orloj.server.mcp.protocol.InFlightRequests;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/** Handles the notifications that clients send in their sessions. Thread-safe. */
final class ClientNotifications {

    private final InFlightRequests calls;
    private final ServerToClientResponses answers;

    ClientNotifications(InFlightRequests calls, ServerToClientResponses answers) {
        this.calls = calls;
        this.answers = answers;
    }

    /**
     * @param message anything but a request
     */
    void take(ClientSession session, JsonRpcMessage message) throws InterruptedException {
        switch (message) {
            case Notification notification -> calls.heed(session.id(), notification);
            case Response(JsonNode id, JsonNode _) -> answered(session, id, message);
            case ErrorResponse(JsonNode id, JsonRpcError _) -> answered(session, id, message);
            case Request request ->
                    throw new IllegalArgumentException("Wants an answer: " + request.method());
        }
    }

    private void answered(ClientSession session, @Nullable JsonNode id, JsonRpcMessage answer)
            throws InterruptedException {
        if (id != null) {
            answers.received(session, id, answer);
        }
    }
}
