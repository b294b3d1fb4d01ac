package dev.orloj.server.mcp.elicitation;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.clock.Scheduler;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.jsonrpc.JsonRpcException;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Holds the requests of a server during one call until they are answered. Thread-safe. */
final class PendingServerRequests {

    private record Question(
            String method, @Nullable JsonNode params, CompletableFuture<JsonNode> answer) {}

    private final Duration timeout;
    private final Scheduler clock;
    private final Runnable changed;

    @GuardedBy("this")
    private final Map<String, Question> questions = new LinkedHashMap<>();

    @GuardedBy("this")
    private int lastKey = 0;

    /**
     * @param timeout limit of the time to an answer
     * @param clock measures that time
     * @param changed runs when a request is added or removed
     */
    PendingServerRequests(Duration timeout, Scheduler clock, Runnable changed) {
        this.timeout = timeout;
        this.clock = clock;
        this.changed = changed;
    }

    /**
     * Waits for the response.
     *
     * @throws JsonRpcException when it has not come in time
     */
    JsonNode ask(String method, @Nullable JsonNode params) throws InterruptedException {
        Question question = new Question(method, params, new CompletableFuture<>());
        String key = put(question);
        changed.run();
        try {
            return await(question.answer());
        } finally {
            remove(key);
            changed.run();
        }
    }

    private JsonNode await(CompletableFuture<JsonNode> answer) throws InterruptedException {
        Scheduler.Task limit = clock.schedule(timeout, () -> answer.completeExceptionally(late()));
        try {
            return answer.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof JsonRpcException late) {
                throw late;
            }
            throw new IllegalStateException("An answer fails only by its limit", e);
        } finally {
            limit.cancel();
        }
    }

    private JsonRpcException late() {
        return new JsonRpcException(
                new JsonRpcError(
                        JsonRpcError.INTERNAL_ERROR,
                        "The client did not answer within %d s".formatted(timeout.toSeconds()),
                        null));
    }

    private synchronized String put(Question question) {
        String key = "input-" + ++lastKey;
        questions.put(key, question);
        return key;
    }

    private synchronized void remove(String key) {
        questions.remove(key);
    }

    /**
     * Accepts responses of the client.
     *
     * @param responses by the keys of the requests; unknown keys are ignored
     */
    synchronized void answer(JsonNode responses) {
        questions.forEach(
                (key, question) -> {
                    JsonNode response = responses.get(key);
                    if (response != null) {
                        question.answer().complete(response);
                    }
                });
    }

    /** The unanswered requests, as an InputRequiredResult lists them. */
    synchronized ObjectNode open() {
        ObjectNode open = Json.MAPPER.createObjectNode();
        questions.forEach(
                (key, question) -> {
                    if (!question.answer().isDone()) {
                        ObjectNode request = open.putObject(key).put("method", question.method());
                        if (question.params() != null) {
                            request.set("params", question.params());
                        }
                    }
                });
        return open;
    }
}
