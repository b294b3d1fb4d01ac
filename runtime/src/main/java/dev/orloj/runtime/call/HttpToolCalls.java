package dev.orloj.runtime.call;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.v1.Tool;
import dev.orloj.runtime.call.CallOutcome.Completed;
import dev.orloj.runtime.call.CallOutcome.InvalidArguments;
import dev.orloj.runtime.http.HttpTool;
import dev.orloj.runtime.http.HttpToolClient;
import dev.orloj.runtime.http.HttpTools.Declared;
import dev.orloj.runtime.http.UnfitArgumentsException;
import dev.orloj.runtime.limit.CallPermit;
import dev.orloj.runtime.limit.LimitReachedException;
import dev.orloj.runtime.observation.CallObservation;
import dev.orloj.runtime.observation.CallTrace;
import dev.orloj.runtime.observation.CallTrace.Phase;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Calls declared HTTP tools within their limits. Thread-safe. */
final class HttpToolCalls {

    private final HttpToolClient client;

    HttpToolCalls(HttpToolClient client) {
        this.client = client;
    }

    /**
     * @param arguments validated arguments
     * @param extra extra members of the call, with its trace context in {@code _meta}
     * @param observation records the phases
     * @throws InterruptedException when the client's thread was interrupted; the connection was
     *     closed
     */
    CallOutcome call(
            Declared.Callable declared,
            ObjectNode arguments,
            ObjectNode extra,
            Duration timeout,
            CallObservation observation)
            throws InterruptedException {
        HttpTool tool = declared.tool();
        ResourceKey key = tool.tool();
        observation.enter(Phase.QUEUE);
        try (CallPermit permit = declared.permits().acquire()) {
            observation.enter(Phase.UPSTREAM);
            return send(tool, arguments, extra, timeout, permit, observation);
        } catch (LimitReachedException e) {
            return ServerExchange.refused(Tool.KIND, key, e);
        }
    }

    private CallOutcome send(
            HttpTool tool,
            ObjectNode arguments,
            ObjectNode extra,
            Duration timeout,
            CallPermit permit,
            CallObservation observation)
            throws InterruptedException {
        ResourceKey key = tool.tool();
        ObjectNode meta =
                extra.path("_meta") instanceof ObjectNode given
                        ? given
                        : JsonNodeFactory.instance.objectNode();
        observation.servedBy(
                new CallTrace.Peer(tool.request().toString(), Optional.empty(), "HTTP/1.1"));
        try {
            ObjectNode result = client.call(tool, arguments, meta, timeout, observation);
            permit.answered();
            return new Completed(result);
        } catch (UnfitArgumentsException e) {
            return new InvalidArguments(key, List.of(e.error()));
        } catch (RuntimeException e) { // known failures become outcomes, others are rethrown
            return ServerExchange.notDone(Tool.KIND, key, permit, e);
        }
    }
}
