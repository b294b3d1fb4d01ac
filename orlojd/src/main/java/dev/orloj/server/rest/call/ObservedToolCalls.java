package dev.orloj.server.rest.call;

import dev.orloj.api.ApiException;
import dev.orloj.api.v1.Tool;
import dev.orloj.runtime.call.CallOutcome;
import dev.orloj.runtime.call.CallRequest;
import dev.orloj.runtime.call.ToolCaller;
import dev.orloj.runtime.observation.RequestEnd;
import dev.orloj.runtime.observation.RequestObserver;
import dev.orloj.server.telemetry.ServedRequest;
import dev.orloj.server.telemetry.ServedRequestListener;

import org.springframework.stereotype.Component;

import tools.jackson.databind.JsonNode;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Calls tools, and notifies a listener, if there is one, of each call and its outcome. */
@Component
final class ObservedToolCalls {

    private static final int INTERNAL_ERROR = 500;

    /** The status of a call whose client has disconnected; it is only recorded. */
    private static final int CLIENT_CLOSED_REQUEST = 499;

    private final ToolCaller caller;
    private final ServedRequestListener listener;

    ObservedToolCalls(ToolCaller caller, Optional<ServedRequestListener> listener) {
        this.caller = caller;
        this.listener = listener.orElse(ServedRequestListener.NONE);
    }

    /** See {@link ToolCaller#call}. */
    CallOutcome call(CallRequest request) throws InterruptedException {
        if (listener == ServedRequestListener.NONE) {
            return caller.call(request);
        }
        RequestObserver observer =
                listener.asked(new ServedRequest.ToolCall(request.tool(), request.extra()));
        RequestEnd end = failed(INTERNAL_ERROR);
        try {
            CallOutcome outcome = caller.call(request);
            end = end(request, outcome);
            return outcome;
        } catch (InterruptedException e) {
            end = failed(CLIENT_CLOSED_REQUEST);
            throw e;
        } finally {
            observer.ended(end);
        }
    }

    private static RequestEnd end(CallRequest request, CallOutcome outcome) {
        try {
            JsonNode result = CallOutcomes.result(Tool.KIND, request.tool(), outcome);
            boolean toolError = result.path("isError").asBoolean(false);
            return new RequestEnd(
                    toolError ? "tool_error" : "", OptionalInt.empty(), OptionalLong.empty());
        } catch (ApiException e) {
            return failed(e.reason().code());
        }
    }

    private static RequestEnd failed(int code) {
        return new RequestEnd(Integer.toString(code), OptionalInt.of(code), OptionalLong.empty());
    }
}
