package dev.orloj.server.mcp;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.ErrorResponse;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Response;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What agents of revisions with sessions are being asked, until they answer with a message of their
 * own. Thread-safe.
 */
final class ClientQuestions {

    /**
     * @param session who alone may answer
     */
    private record Question(String session, CompletableFuture<JsonRpcMessage> answer) {}

    private final ConcurrentMap<String, Question> open = new ConcurrentHashMap<>();
    private final Duration patience;

    /**
     * @param patience how long an agent may take for an answer
     */
    ClientQuestions(Duration patience) {
        this.patience = patience;
    }

    /**
     * Asks the agent of a session in the answer to one of its requests.
     *
     * @return its result
     * @throws JsonRpcException when it answers with an error, not in time, or is gone
     * @throws InterruptedException when nobody wants to know any more; the agent is told
     */
    JsonNode ask(
            ClientSession session, QuestionStream where, String method, @Nullable JsonNode params)
            throws InterruptedException {
        String id = UUID.randomUUID().toString();
        Question question = new Question(session.id(), new CompletableFuture<>());
        open.put(id, question);
        try {
            where.ask(
                    new Request(Json.MAPPER.getNodeFactory().stringNode(id), method, params),
                    question.answer());
            return result(question.answer().get(patience.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            where.tell(cancelled(id, "Timed out"));
            throw failure("The client did not answer within %d s".formatted(patience.toSeconds()));
        } catch (InterruptedException e) {
            where.tell(cancelled(id, "Nobody waits for it any more"));
            throw e;
        } catch (ExecutionException e) {
            throw failure("The client is gone");
        } finally {
            open.remove(id);
        }
    }

    /**
     * An agent answers. An answer that nobody waits for here is dropped: it came too late, or to
     * another replica than the one that asked.
     */
    void answered(ClientSession session, @Nullable JsonNode id, JsonRpcMessage answer) {
        Question question = id == null ? null : open.get(id.asString(""));
        if (question != null && question.session().equals(session.id())) {
            question.answer().complete(answer);
        }
    }

    private static JsonNode result(JsonRpcMessage answer) {
        return switch (answer) {
            case Response(JsonNode _, JsonNode result) -> result;
            case ErrorResponse(JsonNode _, JsonRpcError error) -> throw new JsonRpcException(error);
            case Request _, Notification _ ->
                    throw new IllegalStateException("Not an answer: " + answer);
        };
    }

    private static JsonRpcException failure(String message) {
        return new JsonRpcException(new JsonRpcError(JsonRpcError.INTERNAL_ERROR, message, null));
    }

    private static Notification cancelled(String id, String reason) {
        ObjectNode params = Json.MAPPER.createObjectNode();
        params.put("requestId", id).put("reason", reason);
        return new Notification("notifications/cancelled", params);
    }
}
