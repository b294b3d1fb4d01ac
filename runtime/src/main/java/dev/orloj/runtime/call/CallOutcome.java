package dev.orloj.runtime.call;

import dev.orloj.api.FieldError;
import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.limit.Limit;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.List;

/** How a call ended. */
public sealed interface CallOutcome {

    /** The name of the outcome, for metrics and audit. */
    default String label() {
        return getClass().getSimpleName();
    }

    /** Whether the server may have done what it was asked. */
    default boolean delivered() {
        return switch (this) {
            case Completed _, InputRequired _, ServerError _, TimedOut _, Cancelled _ -> true;
            case ServerUnavailable unavailable -> unavailable.delivered();
            case ToolNotFound _, ToolNotCallable _, InvalidArguments _, Refused _ -> false;
        };
    }

    /**
     * The tool answered. A result with {@code isError} is one of these: it is meant for the model.
     *
     * @param result the CallToolResult as received, or what its limits have left of it
     */
    record Completed(JsonNode result) implements CallOutcome {

        /** Results may be secret, and long. */
        @Override
        public String toString() {
            return "Completed[]";
        }
    }

    /**
     * The server needs input before it goes on (2026-07-28, "Multi Round-Trip Requests"): the same
     * call is to be made again, with the answers.
     *
     * @param result the InputRequiredResult as received
     */
    record InputRequired(ResourceKey server, ObjectNode result) implements CallOutcome {

        /** The member of a result that tells of what kind it is. */
        public static final String RESULT_TYPE = "resultType";

        /** The kind of those that want another round. */
        public static final String INPUT_REQUIRED = "input_required";

        /** Whether a result of 2026-07-28 is none yet, but wants another round. */
        public static boolean isWantedBy(JsonNode result) {
            return result.path(RESULT_TYPE).asString("").equals(INPUT_REQUIRED);
        }

        /** Questions may be secret. */
        @Override
        public String toString() {
            return "InputRequired[server=" + server + "]";
        }
    }

    record ToolNotFound(ResourceKey tool) implements CallOutcome {}

    /** The tool is known, but what it needs is not there. */
    record ToolNotCallable(ResourceKey tool, String why) implements CallOutcome {}

    /**
     * Nothing was sent.
     *
     * @param errors everything that is wrong; paths begin with {@code arguments}
     */
    record InvalidArguments(ResourceKey tool, List<FieldError> errors) implements CallOutcome {

        public InvalidArguments {
            errors = List.copyOf(errors);
        }
    }

    /**
     * There was no connection, or it broke, or what came back was no answer.
     *
     * @param delivered whether the server may have done what it was asked
     */
    record ServerUnavailable(ResourceKey server, String why, @Override boolean delivered)
            implements CallOutcome {}

    /** The server refused the call with an error of its own. */
    record ServerError(ResourceKey server, JsonRpcError error) implements CallOutcome {}

    /**
     * No answer in time; the server was told that nobody waits any more.
     *
     * @param silent whether {@code after} is the time without a sign of progress
     */
    record TimedOut(ResourceKey server, Duration after, boolean silent) implements CallOutcome {}

    /**
     * A limit of the server let the call not begin; nothing was sent.
     *
     * @param why the limit and its value
     * @param retryAfter when it may be worth another try
     */
    record Refused(ResourceKey server, Limit limit, String why, Duration retryAfter)
            implements CallOutcome {

        /** {@code RefusedByRateLimit}. */
        @Override
        public String label() {
            return "RefusedBy" + limit.label();
        }
    }

    /**
     * The caller went away. Heard of by {@link CallListener} only, since the caller gets an {@link
     * InterruptedException}.
     */
    record Cancelled() implements CallOutcome {}
}
