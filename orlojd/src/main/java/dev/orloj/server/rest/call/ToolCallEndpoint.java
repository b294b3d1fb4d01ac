package dev.orloj.server.rest.call;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.CatalogFreshness;
import dev.orloj.runtime.call.CallOutcome;
import dev.orloj.runtime.call.CallRequest;
import dev.orloj.runtime.call.ToolCaller;
import dev.orloj.runtime.catalog.ResolvedTool;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.client.ProgressListener;
import dev.orloj.runtime.client.RequestingClient;
import dev.orloj.runtime.observation.CallId;
import dev.orloj.runtime.observation.CallIds;
import dev.orloj.runtime.observation.CallObservers;
import dev.orloj.runtime.observation.RequestEnd;
import dev.orloj.runtime.observation.RequestObserver;
import dev.orloj.runtime.observation.ServedRequest;
import dev.orloj.server.authentication.AuthenticationGuard;
import dev.orloj.server.authentication.CallerToken;
import dev.orloj.server.authorization.Rights;
import dev.orloj.server.calls.CallAnswer;
import dev.orloj.server.calls.DurableCalls;
import dev.orloj.server.disconnect.ClientDisconnects;
import dev.orloj.server.rest.http.RequestBody;
import dev.orloj.server.rest.http.Responses;
import dev.orloj.server.rest.http.TraceContext;
import dev.orloj.server.rest.request.ApiPath;
import dev.orloj.server.store.StoredCall;
import dev.orloj.server.stream.StreamedWork;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.stereotype.Component;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Calls a tool; the response is the server's {@code CallToolResult}, untouched, even when it
 * reports an error of the tool. The plain call is the hot path: read once, written once, with
 * nothing between.
 */
@Component
class ToolCallEndpoint {

    /** The response header that names the call. */
    static final String CALL_ID = "Orloj-Call-Id";

    /** Short enough to keep the connection open through common proxies. */
    private static final Duration BEAT = Duration.ofSeconds(10);

    private static final RequestEnd INTERNAL_ERROR = RequestEnd.failed(500);

    /** The client has disconnected; this status is only recorded. */
    private static final RequestEnd CLIENT_CLOSED_REQUEST = RequestEnd.failed(499);

    private final ToolCaller caller;
    private final ToolCatalog catalog;
    private final CatalogFreshness freshness;
    private final CallObservers observers;
    private final ClientDisconnects disconnects;
    private final CallIds ids;
    private final DurableCalls durable;

    ToolCallEndpoint(
            ToolCaller caller,
            ToolCatalog catalog,
            CatalogFreshness freshness,
            CallObservers observers,
            CallIds ids,
            ClientDisconnects disconnects,
            DurableCalls durable) {
        this.caller = caller;
        this.catalog = catalog;
        this.freshness = freshness;
        this.observers = observers;
        this.ids = ids;
        this.disconnects = disconnects;
        this.durable = durable;
    }

    /** {@link ToolCallFilter} has matched the request. */
    void call(HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        ResourceKey tool =
                ApiPath.of(request)
                        .map(path -> new ResourceKey(path.namespace(), path.name()))
                        .orElseThrow();
        if (!request.getMethod().equals("POST")) {
            throw new ApiException(
                    ErrorReason.METHOD_NOT_ALLOWED, "a tool is called with the method POST");
        }
        CallPreferences preferences = CallPreferences.of(request);
        RequestBody body = RequestBody.read(request);
        CallRequest call = read(tool, body, request);
        if (preferences.isPlain()) {
            response.setHeader(CALL_ID, call.id().text());
            CallOutcome outcome = disconnects.whileConnected(request, () -> make(call));
            Responses.json(
                    response,
                    200,
                    CallOutcomes.result(Tool.KIND, tool, outcome, Rights.of(request)));
        } else if (preferences.mode() == CallPreferences.ResponseMode.EVENTS
                && preferences.key().isEmpty()) {
            response.setHeader(CALL_ID, call.id().text());
            Rights rights = Rights.of(request);
            stream(request, response, events -> event(answer(call, events, rights)));
        } else {
            StoredCall begun = begin(call, preferences, body, Rights.of(request));
            response.setHeader(CALL_ID, begun.id());
            answerKept(tool, begun, preferences.mode(), request, response);
        }
    }

    /** Looks up the tool once, and once more only if the catalog may be behind the store. */
    private Optional<ResolvedTool> resolve(ResourceKey tool) throws InterruptedException {
        Optional<ResolvedTool> known = catalog.findTool(tool).map(catalog::resolve);
        if (known.filter(catalog::isComplete).isPresent()) {
            return known;
        }
        freshness.await();
        return catalog.findTool(tool).map(catalog::resolve);
    }

    private CallRequest read(ResourceKey tool, RequestBody body, HttpServletRequest request)
            throws InterruptedException {
        ToolCallBody content = ToolCallBody.of(body);
        CallId id = ids.next();
        return new CallRequest(
                tool,
                resolve(tool),
                content.arguments(),
                content.timeout(),
                AuthenticationGuard.caller(request),
                TraceContext.extra(request),
                ProgressListener.NONE,
                id,
                RequestingClient.ofUser(
                        AuthenticationGuard.userName(request), CallerToken.of(request)));
    }

    private StoredCall begin(
            CallRequest call, CallPreferences preferences, RequestBody body, Rights rights) {
        return durable.begin(
                new DurableCalls.Order(
                        call.tool(), call.caller(), preferences.key(), body.bytes(), call.id()),
                () -> outcomeWhileAllowed(call, rights));
    }

    /** Cancels the call when its user loses the right to it: no request is there to be ended. */
    private CallAnswer outcomeWhileAllowed(CallRequest call, Rights rights)
            throws InterruptedException {
        try (Rights.Watch _ =
                rights.watch(
                        () -> {
                            if (!rights.allowRequest()) {
                                durable.cancelHere(call.id().text());
                            }
                        })) {
            return outcome(call, rights);
        }
    }

    private void answerKept(
            ResourceKey tool,
            StoredCall begun,
            CallPreferences.ResponseMode mode,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException, InterruptedException {
        String id = begun.id();
        switch (mode) {
            case LATER -> {
                response.setHeader("Preference-Applied", "respond-async");
                response.setHeader("Location", KeptCallEndpoint.path(tool, id));
                Responses.json(response, 202, KeptCallEndpoint.document(begun));
            }
            case DOCUMENT -> {
                StoredCall ended =
                        disconnects.whileConnected(
                                request, () -> found(tool, durable.await(tool, id)));
                JsonNode answer = ended.answer().orElseThrow();
                Responses.json(response, code(ended, answer), answer);
            }
            case EVENTS -> stream(request, response, events -> event(awaited(tool, id)));
        }
    }

    private static StoredCall found(ResourceKey tool, Optional<StoredCall> call) {
        return call.orElseThrow(
                () ->
                        new ApiException(
                                ErrorReason.EXPIRED,
                                "the answer of the call of \"%s\" is not kept any more"
                                        .formatted(tool)));
    }

    private static int code(StoredCall call, JsonNode answer) {
        return call.state() == StoredCall.State.Completed ? 200 : answer.path("code").asInt(500);
    }

    private CallAnswer awaited(ResourceKey tool, String id) throws InterruptedException {
        StoredCall ended = found(tool, durable.await(tool, id));
        return new CallAnswer(ended.state(), ended.answer().orElseThrow(), true);
    }

    private CallAnswer answer(CallRequest call, Consumer<CallEvents.Event> events, Rights rights)
            throws InterruptedException {
        return outcome(
                call.withProgress(params -> events.accept(CallEvents.Event.progress(params))),
                rights);
    }

    private CallOutcome make(CallRequest call) throws InterruptedException {
        RequestObserver observer =
                observers.served(() -> new ServedRequest.ToolCall(call.tool(), call.extra()));
        RequestEnd end = INTERNAL_ERROR;
        try {
            CallOutcome outcome = caller.call(call);
            end = CallOutcomes.end(outcome);
            return outcome;
        } catch (InterruptedException e) {
            end = CLIENT_CLOSED_REQUEST;
            throw e;
        } finally {
            observer.ended(end);
        }
    }

    private CallAnswer outcome(CallRequest call, Rights rights) throws InterruptedException {
        CallOutcome outcome = make(call);
        try {
            return CallAnswer.completed(
                    CallOutcomes.result(Tool.KIND, call.tool(), outcome, rights));
        } catch (ApiException e) {
            return CallAnswer.failed(e, outcome.delivered());
        }
    }

    /** Produces the last event of a stream. */
    @FunctionalInterface
    private interface Ending {
        CallEvents.Event of(Consumer<CallEvents.Event> events) throws InterruptedException;
    }

    private void stream(HttpServletRequest request, HttpServletResponse response, Ending ending)
            throws IOException, InterruptedException {
        CallEvents events = new CallEvents(response);
        events.open();
        StreamedWork.run(
                disconnects,
                request,
                BEAT,
                progress -> {
                    try {
                        return ending.of(progress);
                    } catch (ApiException e) {
                        return event(CallAnswer.failed(e, true));
                    } catch (InterruptedException e) {
                        return stopping();
                    }
                },
                events);
    }

    private static CallEvents.Event event(CallAnswer answer) {
        return answer.state() == StoredCall.State.Completed
                ? CallEvents.Event.result(answer.document())
                : CallEvents.Event.error(answer.document());
    }

    private static CallEvents.Event stopping() {
        return CallEvents.Event.error(
                Json.MAPPER.valueToTree(
                        new ApiException(
                                        ErrorReason.SERVICE_UNAVAILABLE,
                                        "the call was broken off; it may have been carried out")
                                .toStatus()));
    }
}
