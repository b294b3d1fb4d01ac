package dev.orloj.server.rest.call;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.codec.Json;
import dev.orloj.api.v1.Tool;
import dev.orloj.runtime.observation.CallId;
import dev.orloj.runtime.observation.CallIds;
import dev.orloj.runtime.observation.CallRecord;
import dev.orloj.runtime.observation.CallTrace;
import dev.orloj.runtime.observation.RecentCalls;
import dev.orloj.server.discovery.ApiResource;
import dev.orloj.server.rest.http.HttpExchange;
import dev.orloj.server.rest.http.QueryParameters;
import dev.orloj.server.rest.http.Responses;
import dev.orloj.server.rest.presentation.Presentation;
import dev.orloj.server.store.table.DocumentList;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * Serves the latest tool calls of this replica, with their timings. They are read-only and not
 * stored.
 */
@RestController
public class CallEndpoint {

    public static final ApiResource RESOURCE =
            ApiResource.readable(Tool.KIND.group(), "Call", List.of("get", "list"));

    private static final String CALLS = "/apis/orloj.dev/v1/namespaces/{namespace}/calls";
    private static final String ALL_CALLS = "/apis/orloj.dev/v1/calls";

    private final RecentCalls calls;
    private final CallIds ids;
    private final InstantSource clock;

    CallEndpoint(RecentCalls calls, CallIds ids, InstantSource clock) {
        this.calls = calls;
        this.ids = ids;
        this.clock = clock;
    }

    @GetMapping(CALLS + "/{id}")
    void call(
            @PathVariable String namespace,
            @PathVariable String id,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        CallRecord call = calls.find(id).filter(in(namespace)).orElseThrow(() -> unknown(id));
        HttpExchange exchange = HttpExchange.of(request, response);
        Presentation shape = Presentation.negotiate(exchange, CallKind.DESCRIPTOR, clock);
        Responses.json(response, 200, shape.one(document(call)));
    }

    /** The latest first; {@code tool} and {@code server} filter, {@code limit} truncates. */
    @GetMapping(CALLS)
    void list(
            @PathVariable String namespace,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        list(in(namespace), request, response);
    }

    /** Like {@link #list}, for all namespaces. */
    @GetMapping(ALL_CALLS)
    void listAll(HttpServletRequest request, HttpServletResponse response) throws IOException {
        list(call -> true, request, response);
    }

    private void list(
            Predicate<CallRecord> wanted, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        HttpExchange exchange = HttpExchange.of(request, response);
        QueryParameters query = exchange.query();
        if (query.isOn("watch")) {
            throw new ApiException(
                    ErrorReason.METHOD_NOT_ALLOWED,
                    "calls cannot be watched, only listed and read one by one");
        }
        String tool = query.text("tool");
        String server = query.text("server");
        List<ObjectNode> items =
                calls.list().stream()
                        .filter(wanted)
                        .filter(call -> tool.isEmpty() || call.tool().name().equals(tool))
                        .filter(call -> server.isEmpty() || serverOf(call).equals(server))
                        .limit(query.number("limit").orElse(calls.capacity()))
                        .map(this::document)
                        .toList();
        Presentation shape = Presentation.negotiate(exchange, CallKind.DESCRIPTOR, clock);
        DocumentList page = new DocumentList(ResourceVersion.UNSET, items, "", -1);
        Responses.json(response, 200, shape.list(page));
    }

    private static Predicate<CallRecord> in(String namespace) {
        return call -> call.tool().namespace().equals(namespace);
    }

    private static String serverOf(CallRecord call) {
        return call.server().map(ResourceKey::name).orElse("");
    }

    private ApiException unknown(String id) {
        String replica = new CallId(id).replica();
        return replica.isEmpty() || replica.equals(ids.replica())
                ? new ApiException(
                        ErrorReason.NOT_FOUND,
                        "call \"%s\" is not known here: each replica keeps the latest %d calls in memory, by namespace and id"
                                .formatted(id, calls.capacity()))
                : new ApiException(
                        ErrorReason.BAD_GATEWAY,
                        "call \"%s\" was made by the replica \"%s\" of orlojd, and this is \"%s\": ask that one"
                                .formatted(id, replica, ids.replica()));
    }

    private ObjectNode document(CallRecord call) {
        ObjectNode document = Json.MAPPER.createObjectNode();
        document.put("kind", "Call").put("apiVersion", Tool.KIND.apiVersion());
        document.putObject("metadata")
                .put("name", call.id().text())
                .put("namespace", call.tool().namespace())
                .put("creationTimestamp", call.startedAt().toString());
        document.put("tool", call.tool().name());
        if (!serverOf(call).isEmpty()) {
            document.put("server", serverOf(call));
        }
        document.put("replica", ids.replica());
        document.put("caller", call.caller());
        document.put("outcome", call.outcome());
        document.put("millis", millis(call.duration()));
        call.decision().ifPresent(decision -> document.set("resultPolicy", decision.toDocument()));
        CallTrace trace = call.trace();
        trace.peer()
                .ifPresent(
                        peer -> {
                            document.put("session", peer.session());
                            peer.pid().ifPresent(pid -> document.put("pid", pid));
                            document.put("protocolVersion", peer.protocolVersion());
                            document.put("bytesOut", trace.bytesOut());
                            document.put("bytesIn", trace.bytesIn());
                        });
        ArrayNode steps = document.putArray("steps");
        for (CallTrace.Step step : trace.steps()) {
            steps.addObject()
                    .put("phase", step.phase().name().toLowerCase(Locale.ROOT))
                    .put("millis", millis(step.took()));
        }
        return document;
    }

    private static BigDecimal millis(Duration time) {
        return BigDecimal.valueOf(time.toNanos() / 1_000, 3);
    }
}
