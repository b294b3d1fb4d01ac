package dev.orloj.server.rest.call;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.Status;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.Tool;
import dev.orloj.server.authentication.AuthenticationGuard;
import dev.orloj.server.calls.DurableCalls;
import dev.orloj.server.rest.http.Responses;
import dev.orloj.server.rest.request.ApiPath;
import dev.orloj.server.store.StoredCall;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.time.temporal.ChronoUnit;

/** Serves calls that continue without their clients: progress, result and cancellation. */
@RestController
class KeptCallEndpoint {

    private static final String CALL =
            "/apis/orloj.dev/v1/namespaces/{namespace}/tools/{name}/calls/{id}";

    private final DurableCalls calls;

    KeptCallEndpoint(DurableCalls calls) {
        this.calls = calls;
    }

    /** The path of a call. */
    static String path(ResourceKey tool, String id) {
        return "/apis/orloj.dev/v1/namespaces/%s/tools/%s/calls/%s"
                .formatted(tool.namespace(), tool.name(), id);
    }

    @GetMapping(CALL)
    void call(HttpServletRequest request, HttpServletResponse response) throws IOException {
        StoredCall call = require(request);
        if (call.isRunning()) {
            response.setHeader("Retry-After", "1");
        }
        Responses.json(response, 200, document(call));
    }

    /** Cancels a call in progress, and deletes one that has ended. */
    @DeleteMapping(CALL)
    void cancel(HttpServletRequest request, HttpServletResponse response) throws IOException {
        StoredCall call = require(request);
        if (call.isRunning()) {
            calls.cancel(call.id());
            Responses.json(response, 202, document(call));
        } else {
            calls.forget(call.id());
            Responses.json(response, 200, Status.deleted(Tool.KIND, call.tool().name(), ""));
        }
    }

    private StoredCall require(HttpServletRequest request) {
        ApiPath path = ApiPath.of(request).orElseThrow();
        ResourceKey tool = new ResourceKey(path.namespace(), path.name());
        String id = path.rest().getLast();
        return calls.find(tool, id)
                .filter(call -> isVisible(call, request))
                .orElseThrow(() -> unknown(tool, id));
    }

    /**
     * A user sees no call of another one; the HTTP port knows no users, and its clients see all.
     */
    private static boolean isVisible(StoredCall call, HttpServletRequest request) {
        return AuthenticationGuard.user(request).isEmpty()
                || AuthenticationGuard.caller(request).equals(call.caller());
    }

    private ApiException unknown(ResourceKey tool, String id) {
        return new ApiException(
                ErrorReason.NOT_FOUND,
                "call \"%s\" of tool \"%s\" is not kept: those that were begun with \"Prefer: respond-async\" or an Idempotency-Key are, for %d s after their end"
                        .formatted(id, tool, calls.kept().toSeconds()),
                Status.Details.of(Tool.KIND.group(), Tool.KIND.plural(), tool.name()));
    }

    static ObjectNode document(StoredCall call) {
        ObjectNode document = Json.MAPPER.createObjectNode();
        document.put("kind", "ToolCall").put("apiVersion", Tool.KIND.apiVersion());
        document.putObject("metadata")
                .put("name", call.id())
                .put("namespace", call.tool().namespace())
                .put(
                        "creationTimestamp",
                        call.createdAt().truncatedTo(ChronoUnit.SECONDS).toString());
        document.put("tool", call.tool().name());
        document.put("replica", call.replica());
        document.put("state", call.state().name());
        if (call.isRunning() && call.cancelling()) {
            document.put("cancelling", true);
        }
        call.endedAt().ifPresent(end -> document.put("endedAt", end.toString()));
        call.answer()
                .ifPresent(
                        answer ->
                                document.set(
                                        call.state() == StoredCall.State.Completed
                                                ? "result"
                                                : "error",
                                        answer));
        return document;
    }
}
