package dev.orloj.server.rest.call;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.FieldError;
import dev.orloj.api.Kind;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.Status;
import dev.orloj.runtime.call.CallOutcome;
import dev.orloj.runtime.catalog.Refusal;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.observation.RequestEnd;
import dev.orloj.server.authorization.Rights;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Converts the outcome of a request to an MCP server into the result or error for clients of the
 * REST API.
 */
public final class CallOutcomes {

    /** The resource that the request was about. */
    private record Subject(Kind<?> kind, ResourceKey key) {}

    private CallOutcomes() {}

    /**
     * Returns the result, as the server sent it.
     *
     * @param rights of the client, which decide what it learns of a server
     * @throws ApiException when there is none
     */
    public static JsonNode result(
            Kind<?> kind, ResourceKey subject, CallOutcome outcome, Rights rights) {
        Subject about = new Subject(kind, subject);
        return switch (outcome) {
            case CallOutcome.Completed(JsonNode result) -> result;
            case CallOutcome.InputRequired(ResourceKey server, ObjectNode rest) ->
                    throw inputRequired(about, server, rest);
            case CallOutcome.ServerError(ResourceKey server, JsonRpcError error) ->
                    throw serverError(about, server, error);
            case CallOutcome.NotDone failure -> throw notDone(about, failure, rights);
        };
    }

    /** Returns how the call ended, with the status of the response. */
    static RequestEnd end(CallOutcome outcome) {
        return switch (outcome) {
            case CallOutcome.Completed(JsonNode result) -> RequestEnd.answered(result);
            case CallOutcome.InputRequired _ -> failed(ErrorReason.INPUT_REQUIRED);
            case CallOutcome.ServerError _ -> failed(ErrorReason.BAD_GATEWAY);
            case CallOutcome.NotDone failure -> failed(reason(failure));
        };
    }

    private static RequestEnd failed(ErrorReason reason) {
        return RequestEnd.failed(reason.code());
    }

    private static ErrorReason reason(CallOutcome.NotDone failure) {
        return switch (failure) {
            case CallOutcome.ToolNotFound _ -> ErrorReason.NOT_FOUND;
            case CallOutcome.InvalidArguments _, CallOutcome.ToolNotCallable _ ->
                    ErrorReason.INVALID;
            case CallOutcome.ServerRefused refused ->
                    refused.tool().isPresent()
                            ? ErrorReason.INVALID
                            : ErrorReason.SERVICE_UNAVAILABLE;
            case CallOutcome.ServerUnavailable _, CallOutcome.Cancelled _ ->
                    ErrorReason.SERVICE_UNAVAILABLE;
            case CallOutcome.DefinitionHeld _, CallOutcome.UserNotAuthorized _ ->
                    ErrorReason.FORBIDDEN;
            case CallOutcome.TimedOut _ -> ErrorReason.TIMEOUT;
            case CallOutcome.Refused refused ->
                    switch (refused.limit()) {
                        case MAX_CONCURRENT_CALLS, QUEUE_TIMEOUT, RATE_LIMIT, MAX_SESSIONS ->
                                ErrorReason.TOO_MANY_REQUESTS;
                        case CIRCUIT_BREAKER, SINGLETON, MAX_PROCESSES, MAX_PROCESS_MEMORY ->
                                ErrorReason.SERVICE_UNAVAILABLE;
                    };
        };
    }

    private static ApiException notDone(Subject about, CallOutcome.NotDone failure, Rights rights) {
        return switch (failure) {
            case CallOutcome.ToolNotFound(ResourceKey unknown) ->
                    ApiException.notFound(about.kind(), unknown.name());
            case CallOutcome.InvalidArguments(ResourceKey _, List<FieldError> errors) ->
                    ApiException.invalid(about.kind(), about.key().name(), errors);
            case CallOutcome.ToolNotCallable(ResourceKey _, String why) ->
                    refused(
                            about,
                            failure,
                            "tool \"%s\" cannot be called: %s".formatted(about.key(), why));
            case CallOutcome.ServerRefused(Optional<ResourceKey> tool, Refusal refusal) ->
                    refused(
                            about,
                            failure,
                            (tool.isPresent()
                                            ? "tool \"%s\" cannot be called: its server \"%s\" %s"
                                            : "server \"%2$s\" is unavailable: it %3$s; the call"
                                                    + " was not carried out")
                                    .formatted(
                                            about.key(),
                                            refusal.key(),
                                            refusal.text(rights::read)));
            case CallOutcome.DefinitionHeld(ResourceKey _, String why) ->
                    refused(about, failure, why);
            case CallOutcome.UserNotAuthorized(Refusal refusal) ->
                    refused(
                            about,
                            failure,
                            "server \"%s\" was not called for you: %s"
                                    .formatted(refusal.key(), refusal.text(rights::read)));
            case CallOutcome.ServerUnavailable(Refusal refusal, boolean delivered) ->
                    refused(
                            about,
                            failure,
                            "server \"%s\" %s; the call %s"
                                    .formatted(
                                            refusal.key(),
                                            refusal.text(rights::read),
                                            delivered
                                                    ? "may have been carried out"
                                                    : "was not carried out"));
            case CallOutcome.TimedOut(ResourceKey server, Duration after, boolean silent) ->
                    refused(
                            about,
                            failure,
                            "server \"%s\" did not %s within %d ms; the call was cancelled"
                                    .formatted(
                                            server,
                                            silent ? "answer or report progress" : "answer",
                                            after.toMillis()));
            case CallOutcome.Refused refused -> limited(about, refused, rights);
            case CallOutcome.Cancelled() -> refused(about, failure, "the call was cancelled");
        };
    }

    /** The REST API cannot ask the user; MCP clients can. */
    private static ApiException inputRequired(
            Subject about, ResourceKey server, ObjectNode result) {
        List<Status.Cause> causes =
                result.path("inputRequests")
                        .propertyStream()
                        .map(
                                request ->
                                        new Status.Cause(
                                                request.getValue().path("method").asString(""),
                                                request.getValue()
                                                        .at("/params/message")
                                                        .asString(""),
                                                "inputRequests." + request.getKey()))
                        .toList();
        return failure(
                ErrorReason.INPUT_REQUIRED,
                about,
                "server \"%s\" needs input before it goes on, which only a client over MCP can give"
                        .formatted(server),
                causes);
    }

    /** The error of the server, with its own code and data. */
    private static ApiException serverError(Subject about, ResourceKey server, JsonRpcError error) {
        List<Status.Cause> causes = new ArrayList<>();
        causes.add(new Status.Cause("JsonRpcCode", String.valueOf(error.code()), "error.code"));
        causes.add(new Status.Cause("JsonRpcMessage", error.message(), "error.message"));
        JsonNode data = error.data();
        if (data != null) {
            causes.add(new Status.Cause("JsonRpcData", data.toString(), "error.data"));
        }
        return failure(
                ErrorReason.BAD_GATEWAY,
                about,
                "server \"%s\" refused the call: %s (code %d)"
                        .formatted(server, error.message(), error.code()),
                causes);
    }

    /** A limit: the client may retry, after a time that the error names. */
    private static ApiException limited(Subject about, CallOutcome.Refused refused, Rights rights) {
        int seconds = secondsUp(refused.retryAfter());
        String why = refused.refusal().text(rights::read);
        String message =
                "server \"%s\" was not called: %s; try again in %d s"
                        .formatted(refused.refusal().key(), why, seconds);
        Status.Cause cause =
                new Status.Cause(refused.limit().label(), why, refused.limit().field());
        return failure(reason(refused), about, message, List.of(cause), seconds);
    }

    private static int secondsUp(Duration wait) {
        return (int) Math.clamp(wait.plusMillis(999).toSeconds(), 1, Integer.MAX_VALUE);
    }

    private static ApiException refused(
            Subject about, CallOutcome.NotDone failure, String message) {
        return failure(reason(failure), about, message, List.of(), 0);
    }

    private static ApiException failure(
            ErrorReason reason, Subject about, String message, List<Status.Cause> causes) {
        return failure(reason, about, message, causes, 0);
    }

    private static ApiException failure(
            ErrorReason reason,
            Subject about,
            String message,
            List<Status.Cause> causes,
            int retryAfterSeconds) {
        return new ApiException(
                reason,
                message,
                new Status.Details(
                        about.key().name(),
                        about.kind().group(),
                        about.kind().plural(),
                        "",
                        causes,
                        retryAfterSeconds));
    }
}
