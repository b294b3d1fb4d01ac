package dev.orloj.server.mcp.elicitation;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.client.ClientCapabilities;
import dev.orloj.runtime.client.RequestingClient;
import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.server.mcp.protocol.ProtocolError;
import dev.orloj.server.replica.CallNotifications;
import dev.orloj.server.replica.ReplicaLostException;
import dev.orloj.server.replica.ReplicaService;
import dev.orloj.server.replica.Replicas;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs the next round of a call that is suspended at another replica, and serves such rounds for
 * other replicas. Thread-safe.
 */
public final class SuspendedCallForwarder implements RemoteSuspendedCalls, ReplicaService {

    private static final String KIND = "parked-calls";

    private final SuspendedCalls suspended;
    private final Replicas replicas;

    public SuspendedCallForwarder(SuspendedCalls suspended, Replicas replicas) {
        this.suspended = suspended;
        this.replicas = replicas;
    }

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public ObjectNode proceed(RequestStates.State state, JsonNode responses, CallingClient caller)
            throws InterruptedException, SuspendedCallLostException {
        ObjectNode content = Json.MAPPER.createObjectNode();
        content.put("call", state.call()).set("responses", responses);
        ObjectNode answer;
        try {
            answer =
                    replicas.ask(
                            state.owner(),
                            KIND,
                            content,
                            notification ->
                                    CallNotifications.dispatch(
                                            notification,
                                            caller.progress(),
                                            caller.client().logs()));
        } catch (ReplicaLostException e) {
            throw new SuspendedCallLostException(e.getMessage());
        }
        if (answer.has("lost")) {
            throw new SuspendedCallLostException(answer.path("lost").asString());
        }
        if (answer.path("error") instanceof ObjectNode error) {
            throw ProtocolError.ofReplica(
                    answer.path("status").asInt(200), JsonRpcCodec.errorFromTree(error));
        }
        return (ObjectNode) answer.path("result");
    }

    /** A client whose notifications go to the replica that forwarded the round. */
    private static CallingClient elsewhere(Consumer<ObjectNode> notification) {
        return new CallingClient(
                notification::accept,
                RequestingClient.of(
                        ClientCapabilities.NONE,
                        CallNotifications.logs(Optional.empty(), notification)));
    }

    @Override
    public ObjectNode serve(ObjectNode request, Consumer<ObjectNode> notification)
            throws InterruptedException {
        ObjectNode answer = Json.MAPPER.createObjectNode();
        try {
            answer.set(
                    "result",
                    suspended.proceed(
                            request.path("call").asString(),
                            request.path("responses"),
                            elsewhere(notification)));
        } catch (SuspendedCallLostException e) {
            answer.put("lost", e.getMessage());
        } catch (ProtocolError e) {
            answer.put("status", e.status()).set("error", JsonRpcCodec.toTree(e.error()));
        }
        return answer;
    }
}
