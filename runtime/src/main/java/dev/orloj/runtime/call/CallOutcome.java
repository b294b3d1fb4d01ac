package dev.orloj.runtime.call;

import dev.orloj.api.FieldError;
import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.catalog.Refusal;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.limit.Limit;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The outcome of a call. An error has one of two shapes: {@link ServerError} is the server's own,
 * which the client gets as it is; {@link NotDone} has the reason why Orloj has no answer of the
 * server.
 */
public sealed interface CallOutcome {

    /** The call has no answer of the server. */
    sealed interface NotDone extends CallOutcome {}

    /** Returns the name of the outcome, for metrics and audit. */
    default String label() {
        return getClass().getSimpleName();
    }

    /** Returns whether the server may have executed the request. */
    default boolean delivered() {
        return switch (this) {
            case Completed _, InputRequired _, ServerError _, TimedOut _, Cancelled _ -> true;
            case ServerUnavailable unavailable -> unavailable.delivered();
            case ToolNotFound _,
                    ToolNotCallable _,
                    ServerRefused _,
                    InvalidArguments _,
                    Refused _,
                    DefinitionHeld _,
                    UserNotAuthorized _ ->
                    false;
        };
    }

    /**
     * The tool returned a result. Results with {@code isError} are included: they are meant for the
     * model.
     *
     * @param result the CallToolResult as received, or shortened to its limits
     */
    record Completed(JsonNode result) implements CallOutcome {

        /** Omits the result, which may be secret and long. */
        @Override
        public String toString() {
            return "Completed[]";
        }
    }

    /**
     * The server requires more input (2026-07-28, "Multi Round-Trip Requests"): the client has to
     * repeat the call with the answers.
     *
     * @param result the InputRequiredResult as received
     */
    record InputRequired(ResourceKey server, ObjectNode result) implements CallOutcome {

        /** The member of a result that contains its type. */
        public static final String RESULT_TYPE = "resultType";

        /** The type of a result that requires another round trip. */
        public static final String INPUT_REQUIRED = "input_required";

        /** Returns whether a result of 2026-07-28 is not final but requires another round trip. */
        public static boolean isWantedBy(JsonNode result) {
            return result.path(RESULT_TYPE).asString("").equals(INPUT_REQUIRED);
        }

        /** Omits the questions, which may be secret. */
        @Override
        public String toString() {
            return "InputRequired[server=" + server + "]";
        }
    }

    record ToolNotFound(ResourceKey tool) implements NotDone {}

    /** The tool is declared, but a requirement of it is missing. */
    record ToolNotCallable(ResourceKey tool, String why) implements NotDone {}

    /**
     * The server of the request cannot be called, so nothing was sent.
     *
     * @param tool that was to be called; empty for another request to the server
     */
    record ServerRefused(Optional<ResourceKey> tool, Refusal refusal) implements NotDone {

        /** Returns the label of these outcomes in metrics, audit and errors. */
        @Override
        public String label() {
            return tool.isPresent() ? "ToolNotCallable" : "ServerUnavailable";
        }
    }

    /** The request is about a definition that a policy holds. Nothing was sent. */
    record DefinitionHeld(ResourceKey server, String why) implements NotDone {

        /**
         * Returns one that names the policy and the remedy.
         *
         * @param what a clause, such as {@code this prompt is held (new)}
         */
        static DefinitionHeld of(ResourceKey server, String what) {
            return new DefinitionHeld(
                    server,
                    "%s by the policy of McpServer \"%s\"; 'orlojctl tools pending mcp/%2$s -n %s' shows what waits for approval, and 'orlojctl tools approve' serves it, unless the manifest has pins"
                            .formatted(what, server.name(), server.namespace()));
        }
    }

    /** There is no token with which the server accepts requests of this user. Nothing was sent. */
    record UserNotAuthorized(Refusal refusal) implements NotDone {}

    /**
     * Nothing was sent.
     *
     * @param errors all errors; paths begin with {@code arguments}
     */
    record InvalidArguments(ResourceKey tool, List<FieldError> errors) implements NotDone {

        public InvalidArguments {
            errors = List.copyOf(errors);
        }
    }

    /**
     * The connection could not be opened or broke, or the message received was not a valid
     * response.
     *
     * @param delivered whether the server may have executed the request
     */
    record ServerUnavailable(Refusal refusal, @Override boolean delivered) implements NotDone {

        /** The reason for all clients. */
        public static final String WHY = "is unavailable";

        /**
         * @param cause the text of the failure, which can have the endpoint, paths and output of
         *     the server
         */
        public ServerUnavailable(ResourceKey server, String cause, boolean delivered) {
            this(new Refusal(server, WHY, cause), delivered);
        }
    }

    /** The server responded with an error. */
    record ServerError(ResourceKey server, JsonRpcError error) implements CallOutcome {}

    /**
     * No response within the timeout; the server received a cancellation.
     *
     * @param silent whether {@code after} is the time without progress
     */
    record TimedOut(ResourceKey server, Duration after, boolean silent) implements NotDone {}

    /**
     * A limit of the server refused the call; nothing was sent.
     *
     * @param refusal the limit and its value
     * @param retryAfter when a retry may succeed
     */
    record Refused(Refusal refusal, Limit limit, Duration retryAfter) implements NotDone {

        /**
         * @param why the limit and its value
         */
        public Refused(ResourceKey server, Limit limit, String why, Duration retryAfter) {
            this(new Refusal(server, why, ""), limit, retryAfter);
        }

        /** Returns, for example, {@code RefusedByRateLimit}. */
        @Override
        public String label() {
            return "RefusedBy" + limit.label();
        }
    }

    /**
     * The client disconnected. Only {@link CallObserver} receives this outcome, because the
     * client's thread gets an {@link InterruptedException}.
     */
    record Cancelled() implements NotDone {}
}
