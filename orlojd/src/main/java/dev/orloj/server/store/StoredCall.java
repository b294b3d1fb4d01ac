package dev.orloj.server.store;

import dev.orloj.api.ResourceKey;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.Optional;

/**
 * A tool call as the database has it.
 *
 * @param id as of {@code CallId}
 * @param caller the user who began it
 * @param request digest of the request
 * @param replica which makes the call, or has made it
 * @param cancelling whether a client has requested its end
 * @param endedAt empty while it is {@link State#Running}
 * @param answer the result when it is {@link State#Completed}, else a Status with the reason; empty
 *     while it is running
 */
public record StoredCall(
        String id,
        ResourceKey tool,
        String caller,
        String request,
        String replica,
        Instant createdAt,
        boolean cancelling,
        State state,
        Optional<Instant> endedAt,
        Optional<JsonNode> answer) {

    /** The names are the wire names. */
    public enum State {
        Running,
        Completed,
        Failed,
        Cancelled
    }

    public boolean isRunning() {
        return state == State.Running;
    }

    /** Results may be secret. */
    @Override
    public String toString() {
        return "StoredCall[id=" + id + ", tool=" + tool + ", state=" + state + "]";
    }
}
