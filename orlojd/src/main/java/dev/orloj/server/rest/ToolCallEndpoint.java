package dev.orloj.server.rest;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.Status;
import dev.orloj.api.v1.Tool;
import dev.orloj.api.validation.FieldError;
import dev.orloj.runtime.call.CallOutcome;
import dev.orloj.runtime.call.CallRequest;
import dev.orloj.runtime.call.ToolCaller;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.session.ProgressListener;
import dev.orloj.runtime.trace.CallId;
import dev.orloj.runtime.trace.CallIds;
import dev.orloj.server.hangup.HangUps;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.stereotype.Component;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Calls a tool; the answer is the server's {@code CallToolResult}, untouched, also when it tells of
 * an error of the tool. The hot path: read once, written once, nothing in between.
 */
@Component
class ToolCallEndpoint {

    /** The header of the answer that names the call. */
    static final String CALL_ID = "Orloj-Call-Id";

    private static final String ANYBODY = "anonymous";

    private final ToolCaller caller;

    private final HangUps hangUps;

    private final CallIds ids;

    ToolCallEndpoint(ToolCaller caller, CallIds ids, HangUps hangUps) {
        this.caller = caller;
        this.ids = ids;
        this.hangUps = hangUps;
    }

    /** The request is one of {@link ToolCallFilter}. */
    void call(HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        ResourceKey tool =
                ApiPath.parse(request.getRequestURI())
                        .map(path -> new ResourceKey(path.namespace(), path.name()))
                        .orElseThrow();
        if (!request.getMethod().equals("POST")) {
            throw new ApiException(
                    ErrorReason.METHOD_NOT_ALLOWED, "a tool is called with the method POST");
        }
        ToolCallBody body = ToolCallBody.of(RequestBody.read(request));
        CallId id = ids.next();
        response.setHeader(CALL_ID, id.text());
        CallRequest call =
                new CallRequest(
                        tool,
                        body.arguments(),
                        body.timeout(),
                        ANYBODY,
                        TraceContext.extra(request),
                        ProgressListener.NONE,
                        id);
        CallOutcome outcome = hangUps.whileConnected(request, () -> caller.call(call));
        Answers.json(response, 200, result(tool, outcome));
    }

    private static JsonNode result(ResourceKey tool, CallOutcome outcome) {
        return switch (outcome) {
            case CallOutcome.Completed(JsonNode result) -> result;
            case CallOutcome.ToolNotFound(ResourceKey unknown) ->
                    throw ApiException.notFound(Tool.KIND, unknown.name());
            case CallOutcome.InvalidArguments(ResourceKey _, List<FieldError> errors) ->
                    throw ApiException.invalid(Tool.KIND, tool.name(), errors);
            case CallOutcome.ToolNotCallable(ResourceKey _, String why) ->
                    throw refused(
                            ErrorReason.INVALID,
                            tool,
                            "tool \"%s\" cannot be called: %s".formatted(tool, why));
            case CallOutcome.ServerUnavailable(ResourceKey server, String why, boolean delivered) ->
                    throw refused(
                            ErrorReason.SERVICE_UNAVAILABLE,
                            tool,
                            "server \"%s\" is unavailable: %s; %s"
                                    .formatted(
                                            server,
                                            why,
                                            delivered
                                                    ? "the call may have been carried out"
                                                    : "the call was not carried out"));
            case CallOutcome.ServerError(ResourceKey server, JsonRpcError error) ->
                    throw serverError(tool, server, error);
            case CallOutcome.TimedOut(ResourceKey server, Duration after, boolean silent) ->
                    throw refused(
                            ErrorReason.TIMEOUT,
                            tool,
                            "server \"%s\" did not %s within %d ms; the call was cancelled"
                                    .formatted(
                                            server,
                                            silent ? "answer or tell of progress" : "answer",
                                            after.toMillis()));
            case CallOutcome.Refused refusal -> throw limited(tool, refusal);
            case CallOutcome.Cancelled() ->
                    throw refused(ErrorReason.SERVICE_UNAVAILABLE, tool, "the call was cancelled");
        };
    }

    /** What the server says against the call, with its own code and data. */
    private static ApiException serverError(
            ResourceKey tool, ResourceKey server, JsonRpcError error) {
        List<Status.Cause> causes = new ArrayList<>();
        causes.add(new Status.Cause("JsonRpcCode", String.valueOf(error.code()), "error.code"));
        causes.add(new Status.Cause("JsonRpcMessage", error.message(), "error.message"));
        JsonNode data = error.data();
        if (data != null) {
            causes.add(new Status.Cause("JsonRpcData", data.toString(), "error.data"));
        }
        return failure(
                ErrorReason.BAD_GATEWAY,
                tool,
                "server \"%s\" refused the call: %s (code %d)"
                        .formatted(server, error.message(), error.code()),
                causes);
    }

    /** A limit: the caller may come again, and is told when. */
    private static ApiException limited(ResourceKey tool, CallOutcome.Refused refusal) {
        ErrorReason reason =
                switch (refusal.limit()) {
                    case MAX_CONCURRENT_CALLS, QUEUE_TIMEOUT, RATE_LIMIT ->
                            ErrorReason.TOO_MANY_REQUESTS;
                    case CIRCUIT_BREAKER, SINGLETON, MAX_PROCESSES, MAX_PROCESS_MEMORY ->
                            ErrorReason.SERVICE_UNAVAILABLE;
                };
        int seconds = secondsUp(refusal.retryAfter());
        String message =
                "server \"%s\" was not called: %s; try again in %d s"
                        .formatted(refusal.server(), refusal.why(), seconds);
        Status.Cause cause =
                new Status.Cause(refusal.limit().label(), refusal.why(), refusal.limit().field());
        return failure(reason, tool, message, List.of(cause), seconds);
    }

    private static int secondsUp(Duration wait) {
        return (int) Math.clamp(wait.plusMillis(999).toSeconds(), 1, Integer.MAX_VALUE);
    }

    private static ApiException refused(ErrorReason reason, ResourceKey tool, String message) {
        return failure(reason, tool, message, List.of());
    }

    private static ApiException failure(
            ErrorReason reason, ResourceKey tool, String message, List<Status.Cause> causes) {
        return failure(reason, tool, message, causes, 0);
    }

    private static ApiException failure(
            ErrorReason reason,
            ResourceKey tool,
            String message,
            List<Status.Cause> causes,
            int retryAfterSeconds) {
        return new ApiException(
                reason,
                message,
                new Status.Details(
                        tool.name(),
                        Tool.KIND.group(),
                        Tool.KIND.plural(),
                        "",
                        causes,
                        retryAfterSeconds));
    }
}
