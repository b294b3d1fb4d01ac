package dev.orloj.server.replica;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.call.CallOutcome;
import dev.orloj.runtime.call.ServerCaller;
import dev.orloj.runtime.client.ClientCapabilities;
import dev.orloj.runtime.client.LogLevel;
import dev.orloj.runtime.client.LogListener;
import dev.orloj.runtime.client.ProgressListener;
import dev.orloj.runtime.client.RequestingClient;
import dev.orloj.runtime.client.SessionRequest;
import dev.orloj.runtime.observation.CallObservation;
import dev.orloj.runtime.observation.CallObserver;
import dev.orloj.runtime.observation.CallTrace;
import dev.orloj.runtime.transport.http.ParameterHeaders;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Executes requests of other replicas on the sessions that this replica holds. Thread-safe. */
final class CallService implements ReplicaService {

    static final String KIND = "calls";

    private final ServerCaller caller;
    private final CallObserver observer;

    CallService(ServerCaller caller, CallObserver observer) {
        this.caller = caller;
        this.observer = observer;
    }

    @Override
    public String kind() {
        return KIND;
    }

    static ObjectNode request(ResourceKey server, SessionRequest request) {
        ObjectNode content = Json.MAPPER.createObjectNode();
        content.put("namespace", server.namespace()).put("name", server.name());
        content.put("method", request.method());
        content.set("params", request.params());
        content.put("timeout", request.timeout().toString());
        content.set("capabilities", request.client().capabilities().toJson());
        // A server can send progress only when the request carries a progress token.
        content.put("progress", request.progress() != ProgressListener.NONE);
        LogListener logs = request.client().logs();
        content.put("logs", logs != LogListener.NONE);
        logs.level().ifPresent(level -> content.put("logLevel", level.text()));
        return content;
    }

    @Override
    public ObjectNode serve(ObjectNode request, Consumer<ObjectNode> notification)
            throws InterruptedException {
        ProgressListener progress =
                request.path("progress").asBoolean(false)
                        ? notification::accept
                        : ProgressListener.NONE;
        SessionRequest read = read(request, progress, logs(request, notification));
        CallOutcome outcome =
                caller.callHere(
                        new ResourceKey(
                                request.path("namespace").asString(),
                                request.path("name").asString()),
                        read);
        ObjectNode answer = Json.MAPPER.createObjectNode();
        answer.set("outcome", CallOutcomeCodec.encode(outcome));
        putTrace(answer, read.observation().end());
        return answer;
    }

    private static LogListener logs(ObjectNode request, Consumer<ObjectNode> notification) {
        return request.path("logs").asBoolean(false)
                ? CallNotifications.logs(
                        LogLevel.of(request.path("logLevel").asString("")), notification)
                : LogListener.NONE;
    }

    private SessionRequest read(ObjectNode request, ProgressListener progress, LogListener logs) {
        return new SessionRequest(
                request.path("method").asString(),
                (ObjectNode) request.path("params"),
                Duration.parse(request.path("timeout").asString()),
                progress,
                ParameterHeaders.NONE,
                RequestingClient.of(ClientCapabilities.of(request.path("capabilities")), logs),
                new CallObservation(observer));
    }

    private static void putTrace(ObjectNode answer, CallTrace trace) {
        trace.peer()
                .ifPresent(
                        peer ->
                                answer.putObject("peer")
                                        .put("session", peer.session())
                                        .put("protocolVersion", peer.protocolVersion())
                                        .put("bytesOut", trace.bytesOut())
                                        .put("bytesIn", trace.bytesIn()));
    }

    /**
     * Adds the peer that executed the call to the trace of the call. Leaves out the pid, which
     * belongs to another host.
     */
    static CallOutcome read(ObjectNode answer, ResourceKey server, CallObservation observation) {
        JsonNode peer = answer.path("peer");
        if (peer.isObject()) {
            observation.servedBy(
                    new CallTrace.Peer(
                            peer.path("session").asString(),
                            Optional.empty(),
                            peer.path("protocolVersion").asString()));
            observation.exchangedElsewhere(
                    peer.path("bytesOut").asLong(0), peer.path("bytesIn").asLong(0));
        }
        return CallOutcomeCodec.decode(answer.path("outcome"), server);
    }
}
