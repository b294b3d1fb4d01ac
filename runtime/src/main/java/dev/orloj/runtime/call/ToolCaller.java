package dev.orloj.runtime.call;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.argument.ArgumentMode;
import dev.orloj.runtime.call.CallOutcome.Completed;
import dev.orloj.runtime.call.CallOutcome.InvalidArguments;
import dev.orloj.runtime.call.CallOutcome.ServerRefused;
import dev.orloj.runtime.call.CallOutcome.ToolNotCallable;
import dev.orloj.runtime.call.CallOutcome.ToolNotFound;
import dev.orloj.runtime.catalog.Refusal;
import dev.orloj.runtime.catalog.ResolvedTool;
import dev.orloj.runtime.catalog.ServerEntry;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.catalog.ToolEntry;
import dev.orloj.runtime.client.SessionRequest;
import dev.orloj.runtime.examination.ExaminedResult;
import dev.orloj.runtime.examination.ResultExaminer;
import dev.orloj.runtime.examination.ResultPolicy;
import dev.orloj.runtime.http.HttpToolClient;
import dev.orloj.runtime.http.HttpTools.Declared;
import dev.orloj.runtime.observation.CallObservation;
import dev.orloj.runtime.observation.CallObserver;
import dev.orloj.runtime.observation.CallRecord;
import dev.orloj.runtime.observation.CallTrace;
import dev.orloj.runtime.result.OutputLimit;
import dev.orloj.runtime.result.ResultLimiter;

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

/**
 * Executes tool calls: looks up the tool, checks the arguments, sends the request, and examines and
 * limits the result. Thread-safe.
 */
public final class ToolCaller {

    private final ToolCatalog catalog;
    private final ServerExchange exchange;
    private final ResultLimiter results;
    private final CallObserver observer;
    private final InstantSource clock;
    private final WithheldTools withheld;
    private final Optional<HttpToolCalls> httpCalls;
    private final ArgumentCheck argumentCheck = new ArgumentCheck();

    /** Creates a caller for tools of servers only. */
    public ToolCaller(
            ToolCatalog catalog,
            ServerExchange exchange,
            ResultLimiter results,
            CallObserver observer,
            InstantSource clock) {
        this(
                catalog,
                exchange,
                Optional.empty(),
                results,
                observer,
                clock,
                new WithheldTools(catalog, HeldTools.NONE));
    }

    /**
     * @param http sends the requests of declared tools
     * @param withheld explains why there is no such tool
     */
    public ToolCaller(
            ToolCatalog catalog,
            ServerExchange exchange,
            Optional<HttpToolClient> http,
            ResultLimiter results,
            CallObserver observer,
            InstantSource clock,
            WithheldTools withheld) {
        this.catalog = catalog;
        this.exchange = exchange;
        this.httpCalls = http.map(HttpToolCalls::new);
        this.results = results;
        this.observer = observer;
        this.clock = clock;
        this.withheld = withheld;
    }

    /**
     * Looks up the tool unless the front door has done so, checks the arguments in the mode of its
     * server, and calls the tool in a session that is opened if necessary, within the limits of the
     * server. The timeout is that of the request, else of the tool, else of the server. It includes
     * neither the time in the queue nor the opening, which have their own limits.
     *
     * @throws InterruptedException when the client's thread was interrupted; the server received a
     *     cancellation
     */
    public CallOutcome call(CallRequest request) throws InterruptedException {
        Instant startedAt = clock.instant();
        CallObservation observation = new CallObservation(observer);
        ResolvedTool resolved = resolve(request);
        ToolEntry entry = resolved == null ? null : resolved.tool();
        CallOutcome outcome;
        try {
            outcome =
                    resolved == null
                            ? unknown(request.tool())
                            : call(request, resolved, observation);
        } catch (InterruptedException e) {
            record(request, entry, startedAt, observation, new CallOutcome.Cancelled());
            throw e;
        }
        record(request, entry, startedAt, observation, outcome);
        return outcome;
    }

    private @Nullable ResolvedTool resolve(CallRequest request) {
        return request.resolved()
                .or(() -> catalog.findTool(request.tool()).map(catalog::resolve))
                .orElse(null);
    }

    /**
     * Describes an unknown tool, which may be a declared tool that cannot be called, or a tool that
     * a policy withholds.
     */
    private CallOutcome unknown(ResourceKey tool) {
        return catalog.httpTools().find(tool).orElse(null) instanceof Declared.Refused(String why)
                ? new ToolNotCallable(tool, why)
                : withheld.findTool(tool)
                        .<CallOutcome>map(WithheldTools.Withheld::outcome)
                        .orElseGet(() -> new ToolNotFound(tool));
    }

    private CallOutcome call(
            CallRequest request, ResolvedTool resolved, CallObservation observation)
            throws InterruptedException {
        ToolEntry entry = resolved.tool();
        if (entry.isDeclared()) {
            return callDeclared(request, entry, observation);
        }
        ServerEntry server = resolved.server().orElse(null);
        if (server == null) {
            return notCallable(entry);
        }
        ArgumentCheck.Checked checked = check(request, entry, server.definition().argumentMode());
        if (!checked.errors().isEmpty()) {
            return new InvalidArguments(entry.tool(), checked.errors());
        }
        Optional<CallOutcome> outcome =
                exchange.send(
                        server,
                        sessionRequest(request, entry, server, checked.arguments(), observation));
        observation.enter(CallTrace.Phase.RESULT);
        return outcome.isPresent()
                ? limited(
                        request,
                        entry,
                        examined(server, entry, outcome.get(), observation),
                        entry.output().orElse(server.definition().output()))
                : gone(entry);
    }

    private CallOutcome callDeclared(
            CallRequest request, ToolEntry entry, CallObservation observation)
            throws InterruptedException {
        if (httpCalls.isEmpty()
                || !(catalog.httpTools().find(entry.tool()).orElse(null)
                        instanceof Declared.Callable declared)) {
            return unknown(entry.tool());
        }
        ArgumentCheck.Checked checked = check(request, entry, declared.tool().argumentMode());
        if (!checked.errors().isEmpty()) {
            return new InvalidArguments(entry.tool(), checked.errors());
        }
        CallOutcome outcome =
                httpCalls
                        .get()
                        .call(
                                declared,
                                checked.arguments(),
                                request.extra(),
                                request.timeout().orElse(declared.tool().timeout()),
                                observation);
        observation.enter(CallTrace.Phase.RESULT);
        return limited(request, entry, outcome, entry.output());
    }

    private ArgumentCheck.Checked check(CallRequest request, ToolEntry entry, ArgumentMode mode) {
        JsonNode given = request.arguments();
        if (given.isMissingNode()) {
            given = JsonNodeFactory.instance.objectNode();
        }
        if (!(given instanceof ObjectNode arguments)) {
            return new ArgumentCheck.Checked(
                    JsonNodeFactory.instance.objectNode(),
                    List.of(
                            FieldError.typeInvalid(
                                    FieldPath.of("arguments"),
                                    Violations.shown(given),
                                    "must be an object, such as {\"name\": \"value\"}")));
        }
        return argumentCheck.check(entry, arguments, mode);
    }

    private CallOutcome gone(ToolEntry entry) {
        return catalog.findRefusal(entry.server()).isPresent()
                ? notCallable(entry)
                : new ToolNotFound(entry.tool());
    }

    /** Applies the {@code result_policy} of the server; without one, nothing is read. */
    private static CallOutcome examined(
            ServerEntry server, ToolEntry entry, CallOutcome outcome, CallObservation observation) {
        ResultPolicy policy = server.definition().resultPolicy();
        if (policy == ResultPolicy.OFF
                || !(outcome instanceof Completed(JsonNode result))
                || !(result instanceof ObjectNode answer)) {
            return outcome;
        }
        ExaminedResult examined =
                ResultExaminer.examine(
                        policy,
                        entry.server(),
                        "tool \"%s\"".formatted(entry.tool().name()),
                        answer);
        examined.decision().ifPresent(observation::decided);
        return new Completed(examined.result());
    }

    private CallOutcome limited(
            CallRequest request, ToolEntry entry, CallOutcome outcome, OutputLimit limit) {
        return outcome instanceof Completed(JsonNode result) && result instanceof ObjectNode answer
                ? new Completed(results.limit(entry.tool(), request.caller(), answer, limit))
                : outcome;
    }

    /** Keeps extra members and uses the server's own name of the tool. */
    private static SessionRequest sessionRequest(
            CallRequest request,
            ToolEntry entry,
            ServerEntry server,
            ObjectNode arguments,
            CallObservation observation) {
        ObjectNode params = JsonNodeFactory.instance.objectNode();
        params.put("name", entry.mcpToolName());
        params.set("arguments", arguments);
        for (Map.Entry<String, JsonNode> member : request.extra().properties()) {
            // A copy, because the session modifies the params before it sends them.
            params.set(member.getKey(), member.getValue().deepCopy());
        }
        Duration timeout =
                request.timeout().or(entry::timeout).orElse(server.definition().timeouts().call());
        return new SessionRequest(
                "tools/call",
                params,
                timeout,
                request.progress(),
                entry.mirrored(),
                request.client(),
                observation);
    }

    private CallOutcome notCallable(ToolEntry entry) {
        ResourceKey server = entry.server();
        Refusal refusal = catalog.findRefusal(server).orElseGet(() -> Refusal.absent(server));
        return refusal.isWithheld()
                ? WithheldTools.withServer(server)
                : new ServerRefused(Optional.of(entry.tool()), refusal);
    }

    private void record(
            CallRequest request,
            @Nullable ToolEntry entry,
            Instant startedAt,
            CallObservation observation,
            CallOutcome outcome) {
        CallTrace trace = observation.end();
        observer.called(
                new CallRecord(
                        request.caller(),
                        request.tool(),
                        entry == null ? Optional.empty() : Optional.of(entry.server()),
                        startedAt,
                        trace.duration(),
                        outcome.label(),
                        request.id(),
                        trace,
                        observation.decision()));
    }
}
