package dev.orloj.server.mcp;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.ErrorResponse;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Response;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.server.mcp.elicitation.CallingClient;
import dev.orloj.server.mcp.methods.MethodHandlers;
import dev.orloj.server.mcp.protocol.ClientEra;
import dev.orloj.server.mcp.protocol.ClientRequest;
import dev.orloj.server.mcp.protocol.ClientSession;
import dev.orloj.server.mcp.protocol.EndpointScope;
import dev.orloj.server.mcp.protocol.InFlightRequests;
import dev.orloj.server.mcp.protocol.JsonRpcRequestBody;
import dev.orloj.server.mcp.protocol.ProtocolError;
import dev.orloj.server.mcp.protocol.RequestHeaders;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

import java.util.Optional;

/**
 * Answers the JSON-RPC batches of revision 2025-03-26: one document with all responses, in the
 * order of the requests. There is no stream beside it, so the client receives no progress and no
 * server requests. Thread-safe.
 */
final class BatchRequests {

    private final MethodHandlers handlers;
    private final InFlightRequests calls;
    private final ClientNotifications messages;

    BatchRequests(MethodHandlers handlers, InFlightRequests calls, ClientNotifications messages) {
        this.handlers = handlers;
        this.calls = calls;
        this.messages = messages;
    }

    /**
     * @return the responses; empty when no message needs one
     * @throws ProtocolError when the session has no batches, or the batch is too long
     */
    ArrayNode answer(
            EndpointScope scope,
            ClientSession session,
            JsonRpcRequestBody batch,
            RequestHeaders headers)
            throws InterruptedException {
        if (!session.revision().hasBatches()
                || batch.messages().size() > JsonRpcRequestBody.LONGEST_BATCH) {
            throw ProtocolError.invalidRequest(
                    400,
                    "Batches are served in revision %s only, with at most %d messages"
                            .formatted(
                                    ProtocolRevision.V2025_03_26.version(),
                                    JsonRpcRequestBody.LONGEST_BATCH));
        }
        ArrayNode answers = Json.MAPPER.createArrayNode();
        for (String why : batch.rejected()) {
            answers.add(
                    JsonRpcCodec.toTree(
                            new ErrorResponse(
                                    null, ProtocolError.invalidRequest(400, why).error())));
        }
        for (JsonRpcMessage message : batch.messages()) {
            switch (message) {
                case Request request ->
                        answer(new ClientEra.Legacy(session).read(scope, request, headers))
                                .ifPresent(answers::add);
                case Notification _, Response _, ErrorResponse _ -> messages.take(session, message);
            }
        }
        return answers;
    }

    /** Returns empty when the client has cancelled the request; the rest of the batch continues. */
    private Optional<JsonNode> answer(ClientRequest request) throws InterruptedException {
        try (InFlightRequests.Call call = calls.begin(request)) {
            try {
                return Optional.of(
                        JsonRpcCodec.toTree(
                                handlers.answer(request, CallingClient.noneOf(request.headers()))
                                        .message()));
            } catch (InterruptedException e) {
                if (call.complete()) {
                    throw e;
                }
                return Optional.empty();
            }
        }
    }
}
