package dev.orloj.server.mcp.elicitation;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcException;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.ErrorResponse;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Notification;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Request;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage.Response;
import dev.orloj.server.mcp.protocol.ClientSession;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends requests to clients of revisions with sessions, and waits for their responses. Thread-safe.
 */
public final class ServerToClientRequests {

    /**
     * @param session the only one that may answer
     */
    private record Question(String session, CompletableFuture<JsonRpcMessage> answer) {}

    /** Ends the name of the replica in the id of a request. */
    private static final char OF = '/';

    private final ConcurrentMap<String, Question> open = new ConcurrentHashMap<>();
    private final String replica;
    private final Duration timeout;
    private final UrlElicitations elicitations;

    /**
     * @param replica the name of this one
     * @param timeout limit of the time to a response
     * @param elicitations remembers what stays open after the response
     */
    public ServerToClientRequests(String replica, Duration timeout, UrlElicitations elicitations) {
        this.replica = replica;
        this.timeout = timeout;
        this.elicitations = elicitations;
    }

    /**
     * Sends a request to the client of a session, on the stream of one of its own requests.
     *
     * @param server that makes the request
     * @return its result
     * @throws JsonRpcException when the client answers with an error, not in time, or is gone
     * @throws InterruptedException when the result is not needed any more; the client is notified
     */
    JsonNode ask(
            ResourceKey server,
            ClientSession session,
            ServerToClientStream where,
            String method,
            @Nullable JsonNode params)
            throws InterruptedException {
        if (params != null) {
            elicitations.asked(server, session, params);
        }
        String id = replica + OF + UUID.randomUUID();
        Question question = new Question(session.id(), new CompletableFuture<>());
        open.put(id, question);
        try {
            where.ask(
                    new Request(Json.MAPPER.getNodeFactory().stringNode(id), method, params),
                    question.answer());
            return result(question.answer().get(timeout.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            where.send(cancelled(id, "Timed out"));
            throw failure("The client did not answer within %d s".formatted(timeout.toSeconds()));
        } catch (InterruptedException e) {
            where.send(cancelled(id, "Its answer is no longer needed"));
            throw e;
        } catch (ExecutionException e) {
            throw failure("The client is gone");
        } finally {
            open.remove(id);
        }
    }

    /** The replica that sent the request with this id, if it is another one. */
    Optional<String> ownerElsewhere(JsonNode id) {
        String text = id.asString("");
        int end = text.lastIndexOf(OF);
        return end <= 0 || text.substring(0, end).equals(replica)
                ? Optional.empty()
                : Optional.of(text.substring(0, end));
    }

    /** Accepts a response of the client of a session; drops one that no request waits for. */
    public void answered(String session, JsonNode id, JsonRpcMessage answer) {
        Question question = open.get(id.asString(""));
        if (question != null && question.session().equals(session)) {
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
