package dev.orloj.runtime.call;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.call.CallOutcome.ServerRefused;
import dev.orloj.runtime.catalog.Refusal;
import dev.orloj.runtime.catalog.ServerEntry;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.catalog.ToolEntry;
import dev.orloj.runtime.client.ProgressListener;
import dev.orloj.runtime.client.RequestingClient;
import dev.orloj.runtime.client.SessionRequest;
import dev.orloj.runtime.examination.ExaminedResult;
import dev.orloj.runtime.examination.ResultExaminer;
import dev.orloj.runtime.examination.ResultPolicy;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.observation.CallObservation;
import dev.orloj.runtime.observation.CallObserver;
import dev.orloj.runtime.transport.http.ParameterHeaders;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Sends requests other than tool calls - prompts, resources, completion - to their server. They
 * count as its calls and share its limits. Thread-safe.
 */
public final class ServerCaller {

    /** The requests whose results are for a model, as those of tools are. */
    private static final Set<String> WITH_CONTENT = Set.of("prompts/get", "resources/read");

    private final ToolCatalog catalog;
    private final ServerExchange exchange;
    private final CallObserver observer;
    private final FeatureGate gate;

    /** Creates one that serves every definition. */
    public ServerCaller(ToolCatalog catalog, ServerExchange exchange, CallObserver observer) {
        this(catalog, exchange, observer, FeatureDecisions.NONE);
    }

    public ServerCaller(
            ToolCatalog catalog,
            ServerExchange exchange,
            CallObserver observer,
            FeatureDecisions decisions) {
        this.catalog = catalog;
        this.exchange = exchange;
        this.observer = observer;
        this.gate = new FeatureGate(decisions);
    }

    /**
     * @param params sent unchanged
     * @param client the client that receives requests of the server
     * @return {@link CallOutcome.Completed} with the result as received, or as the {@code
     *     result_policy} of the server leaves it, a list without what is held, or the reason of the
     *     failure
     * @throws InterruptedException when the client's thread was interrupted; the server received a
     *     cancellation
     */
    public CallOutcome call(
            ResourceKey server,
            String method,
            ObjectNode params,
            ProgressListener progress,
            RequestingClient client)
            throws InterruptedException {
        Optional<ServerEntry> entry = catalog.findServer(server);
        if (entry.isEmpty()) {
            return unavailable(server);
        }
        Optional<CallOutcome> held = gate.refusal(entry.get(), method, params);
        if (held.isPresent()) {
            return held.get();
        }
        return gate.listed(
                entry.get(), method, send(entry.get(), method, params, progress, client));
    }

    /**
     * Sends a request for a list, and returns it with the items that are held: it can be kept, and
     * {@link #served} applied to it later.
     */
    public CallOutcome list(ResourceKey server, String method, ObjectNode params)
            throws InterruptedException {
        Optional<ServerEntry> entry = catalog.findServer(server);
        return entry.isEmpty()
                ? unavailable(server)
                : send(entry.get(), method, params, ProgressListener.NONE, RequestingClient.NONE);
    }

    /** Returns the items of a list that the policy of the server does not hold now. */
    public List<JsonNode> served(ResourceKey server, String method, List<ObjectNode> items) {
        return catalog.findServer(server)
                .map(entry -> gate.served(entry, method, items))
                .orElseGet(List::of);
    }

    private CallOutcome send(
            ServerEntry entry,
            String method,
            ObjectNode params,
            ProgressListener progress,
            RequestingClient client)
            throws InterruptedException {
        SessionRequest request =
                new SessionRequest(
                        method,
                        params,
                        entry.definition().timeouts().call(),
                        progress,
                        ParameterHeaders.NONE,
                        client,
                        new CallObservation(observer));
        return exchange.send(entry, request)
                .map(outcome -> examined(entry, method, outcome))
                .orElseGet(() -> unavailable(entry.definition().server()));
    }

    /** Applies the {@code result_policy} of the server to content that a model reads. */
    private static CallOutcome examined(ServerEntry entry, String method, CallOutcome outcome) {
        ResultPolicy policy = entry.definition().resultPolicy();
        if (policy == ResultPolicy.OFF
                || !WITH_CONTENT.contains(method)
                || !(outcome instanceof CallOutcome.Completed(JsonNode result))
                || !(result instanceof ObjectNode answer)) {
            return outcome;
        }
        ResourceKey server = entry.definition().server();
        ExaminedResult examined = ResultExaminer.examine(policy, server, method, answer);
        return examined.refusal()
                .<CallOutcome>map(
                        why ->
                                new CallOutcome.ServerError(
                                        server,
                                        new JsonRpcError(JsonRpcError.INTERNAL_ERROR, why, null)))
                .orElseGet(() -> new CallOutcome.Completed(examined.result()));
    }

    /** Sends a request for a client that receives no requests of the server. */
    public CallOutcome call(
            ResourceKey server, String method, ObjectNode params, ProgressListener progress)
            throws InterruptedException {
        return call(server, method, params, progress, RequestingClient.NONE);
    }

    /**
     * Executes a request of another replica in a session of this replica or not at all: no request
     * is forwarded twice.
     *
     * @param request its arguments are mirrored in headers as the tool requires
     * @throws InterruptedException when the client's thread was interrupted; the server received a
     *     cancellation
     */
    public CallOutcome callHere(ResourceKey server, SessionRequest request)
            throws InterruptedException {
        Optional<ServerEntry> entry = catalog.findServer(server);
        if (entry.isEmpty()) {
            return unavailable(server);
        }
        SessionRequest complete =
                new SessionRequest(
                        request.method(),
                        request.params(),
                        request.timeout(),
                        request.progress(),
                        mirrored(server, request.method(), request.params()),
                        request.client(),
                        request.observation());
        return exchange.sendHere(entry.get(), complete).orElseGet(() -> unavailable(server));
    }

    private ParameterHeaders mirrored(ResourceKey server, String method, ObjectNode params) {
        return method.equals("tools/call")
                ? catalog.findByServerName(server, params.path("name").asString(""))
                        .map(ToolEntry::mirrored)
                        .orElse(ParameterHeaders.NONE)
                : ParameterHeaders.NONE;
    }

    private CallOutcome unavailable(ResourceKey server) {
        return new ServerRefused(
                Optional.empty(),
                catalog.findRefusal(server).orElseGet(() -> Refusal.absent(server)));
    }
}
