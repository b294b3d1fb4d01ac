package dev.orloj.server.mcp;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.ErrorResponse;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Response;
import dev.orloj.runtime.transport.ProtocolRevision;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

import java.util.Optional;

/**
 * The batches of revision 2025-03-26: one document of answers, in the order of the questions. There
 * is no stream beside it, so nobody is told of progress or asked anything. Thread-safe.
 */
final class Batches {

    private final AgentMethods methods;
    private final CallsInFlight calls;
    private final SessionMessages messages;

    Batches(AgentMethods methods, CallsInFlight calls, SessionMessages messages) {
        this.methods = methods;
        this.calls = calls;
        this.messages = messages;
    }

    /**
     * @return what is to be answered; empty when nothing is
     * @throws ProtocolError when the session has no batches, or none that are so long
     */
    ArrayNode answer(Scope scope, ClientSession session, Incoming batch, RequestHeaders headers)
            throws InterruptedException {
        if (!session.revision().hasBatches() || batch.messages().size() > Incoming.LONGEST_BATCH) {
            throw ProtocolError.invalidRequest(
                    400,
                    "Batches are served in revision %s only, with at most %d messages"
                            .formatted(
                                    ProtocolRevision.V2025_03_26.version(),
                                    Incoming.LONGEST_BATCH));
        }
        ArrayNode answers = Json.MAPPER.createArrayNode();
        for (String why : batch.rejected()) {
            answers.add(error(null, ProtocolError.invalidRequest(400, why)));
        }
        for (JsonRpcMessage message : batch.messages()) {
            switch (message) {
                case Request request ->
                        answer(SessionGate.read(scope, session, request, headers))
                                .ifPresent(answers::add);
                case Notification _, Response _, ErrorResponse _ -> messages.take(session, message);
            }
        }
        return answers;
    }

    /** Empty when the agent has cancelled it: there are others to go on with. */
    private Optional<JsonNode> answer(AgentRequest request) throws InterruptedException {
        try (CallsInFlight.Call call = calls.begin(request)) {
            try {
                return Optional.of(carryOut(request));
            } catch (InterruptedException e) {
                if (call.isCancelled()) {
                    return Optional.empty();
                }
                throw e;
            }
        }
    }

    private JsonNode carryOut(AgentRequest request) throws InterruptedException {
        try {
            return JsonRpcCodec.toTree(
                    new Response(request.id(), methods.answer(request, CallingAgent.NOBODY)));
        } catch (ProtocolError e) {
            return error(request.id(), e);
        } catch (RuntimeException e) { // the edge: the others have been carried out
            return JsonRpcCodec.toTree(
                    new ErrorResponse(request.id(), UnexpectedFailure.report(e)));
        }
    }

    private static JsonNode error(@Nullable JsonNode id, ProtocolError e) {
        return JsonRpcCodec.toTree(new ErrorResponse(id, e.error()));
    }
}
