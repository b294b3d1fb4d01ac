package dev.orloj.runtime.call;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.runtime.call.CallOutcome.Completed;
import dev.orloj.runtime.call.CallOutcome.InvalidArguments;
import dev.orloj.runtime.call.CallOutcome.ToolNotCallable;
import dev.orloj.runtime.call.CallOutcome.ToolNotFound;
import dev.orloj.runtime.catalog.ServerEntry;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.catalog.ToolEntry;
import dev.orloj.runtime.client.SessionRequest;
import dev.orloj.runtime.result.ResultLimiter;
import dev.orloj.runtime.trace.CallTrace;
import dev.orloj.runtime.trace.CallTracer;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The whole of one tool call. Thread-safe. */
public final class ToolCaller {

    private final ToolCatalog catalog;
    private final ServerExchange exchange;
    private final ResultLimiter results;
    private final CallListener listener;
    private final InstantSource clock;
    private final ArgumentCheck argumentCheck = new ArgumentCheck();

    public ToolCaller(
            ToolCatalog catalog,
            ServerExchange exchange,
            ResultLimiter results,
            CallListener listener,
            InstantSource clock) {
        this.catalog = catalog;
        this.exchange = exchange;
        this.results = results;
        this.listener = listener;
        this.clock = clock;
    }

    /**
     * Finds the tool, checks the arguments as its server has it, and calls it in a session that is
     * opened when there is none, as soon as the limits of the server let it. The timeout is the
     * request's, else the tool's, else the server's; it counts neither the wait for other calls nor
     * the opening, which have limits of their own.
     *
     * @throws InterruptedException when the caller's thread was interrupted; the server was told
     */
    public CallOutcome call(CallRequest request) throws InterruptedException {
        Instant startedAt = clock.instant();
        CallTracer tracer = new CallTracer();
        ToolEntry entry = catalog.findTool(request.tool()).orElse(null);
        CallOutcome outcome;
        try {
            outcome =
                    entry == null
                            ? new ToolNotFound(request.tool())
                            : tracer.follow(() -> call(request, entry));
        } catch (InterruptedException e) {
            record(request, entry, startedAt, tracer, new CallOutcome.Cancelled());
            throw e;
        }
        record(request, entry, startedAt, tracer, outcome);
        return outcome;
    }

    private CallOutcome call(CallRequest request, ToolEntry entry) throws InterruptedException {
        ServerEntry server = catalog.findServer(entry.server()).orElse(null);
        if (server == null) {
            return notCallable(entry);
        }
        JsonNode given = request.arguments();
        if (given.isMissingNode()) {
            given = JsonNodeFactory.instance.objectNode();
        }
        if (!(given instanceof ObjectNode arguments)) {
            return new InvalidArguments(
                    entry.tool(),
                    List.of(
                            FieldError.typeInvalid(
                                    FieldPath.of("arguments"),
                                    Violations.shown(given),
                                    "must be an object, such as {\"name\": \"value\"}")));
        }
        ArgumentCheck.Checked checked =
                argumentCheck.check(entry, arguments, server.definition().argumentMode());
        return checked.errors().isEmpty()
                ? send(entry, server, sessionRequest(request, entry, server, checked.arguments()))
                : new InvalidArguments(entry.tool(), checked.errors());
    }

    private CallOutcome send(ToolEntry entry, ServerEntry server, SessionRequest request)
            throws InterruptedException {
        Optional<CallOutcome> outcome = exchange.send(server, request);
        CallTracer.current().enter(CallTrace.Phase.RESULT);
        if (outcome.isEmpty()) {
            return catalog.findRefusal(entry.server()).isPresent()
                    ? notCallable(entry)
                    : new ToolNotFound(entry.tool());
        }
        return outcome.get() instanceof Completed(JsonNode result)
                        && result instanceof ObjectNode answer
                ? new Completed(
                        results.limit(
                                entry.tool(),
                                answer,
                                entry.output().orElse(server.definition().output())))
                : outcome.get();
    }

    /** Extra members go along; the name is the server's own. */
    private static SessionRequest sessionRequest(
            CallRequest request, ToolEntry entry, ServerEntry server, ObjectNode arguments) {
        ObjectNode params = JsonNodeFactory.instance.objectNode();
        params.put("name", entry.mcpToolName());
        params.set("arguments", arguments);
        for (Map.Entry<String, JsonNode> member : request.extra().properties()) {
            // A copy, since the session writes into what is about to be sent.
            params.set(member.getKey(), member.getValue().deepCopy());
        }
        Duration timeout =
                request.timeout().or(entry::timeout).orElse(server.definition().callTimeout());
        return new SessionRequest(
                "tools/call",
                params,
                timeout,
                request.progress(),
                entry.mirrored(),
                request.client());
    }

    private ToolNotCallable notCallable(ToolEntry entry) {
        String why =
                catalog.findRefusal(entry.server()).orElse("is not there, or was not accepted");
        return new ToolNotCallable(
                entry.tool(), "its server \"%s\" %s".formatted(entry.server(), why));
    }

    private void record(
            CallRequest request,
            @Nullable ToolEntry entry,
            Instant startedAt,
            CallTracer tracer,
            CallOutcome outcome) {
        CallTrace trace = tracer.end();
        listener.called(
                new CallRecord(
                        request.caller(),
                        request.tool(),
                        entry == null ? Optional.empty() : Optional.of(entry.server()),
                        startedAt,
                        trace.duration(),
                        outcome.label(),
                        request.id(),
                        trace));
    }
}
