package dev.orloj.server.rest;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.v1.Tool;
import dev.orloj.runtime.call.CallOutcome;
import dev.orloj.runtime.call.CallRequest;
import dev.orloj.runtime.call.ToolCaller;
import dev.orloj.runtime.session.ProgressListener;
import dev.orloj.runtime.session.RequestingClient;
import dev.orloj.runtime.trace.CallId;
import dev.orloj.runtime.trace.CallIds;
import dev.orloj.server.hangup.HangUps;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.stereotype.Component;

import java.io.IOException;

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
                        id,
                        RequestingClient.NONE);
        CallOutcome outcome = hangUps.whileConnected(request, () -> caller.call(call));
        Answers.json(response, 200, CallOutcomes.result(Tool.KIND, tool, outcome));
    }
}
