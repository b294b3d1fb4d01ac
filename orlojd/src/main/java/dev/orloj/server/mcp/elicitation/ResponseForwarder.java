package dev.orloj.server.mcp.elicitation;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.server.mcp.protocol.ClientSession;
import dev.orloj.server.replica.ReplicaLostException;
import dev.orloj.server.replica.ReplicaService;
import dev.orloj.server.replica.Replicas;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;
import java.util.function.Consumer;

/** Forwards responses of clients to the replica that sent the request. Thread-safe. */
public final class ResponseForwarder implements ServerToClientResponses, ReplicaService {

    private static final Logger log = LoggerFactory.getLogger(ResponseForwarder.class);
    private static final String KIND = "client-answers";

    private final ServerToClientRequests questions;
    private final Replicas replicas;

    public ResponseForwarder(ServerToClientRequests questions, Replicas replicas) {
        this.questions = questions;
        this.replicas = replicas;
    }

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public void received(ClientSession session, JsonNode id, JsonRpcMessage answer)
            throws InterruptedException {
        Optional<String> owner = questions.ownerElsewhere(id);
        if (owner.isEmpty()) {
            questions.answered(session.id(), id, answer);
            return;
        }
        ObjectNode content = Json.MAPPER.createObjectNode().put("session", session.id());
        content.set("answer", JsonRpcCodec.toTree(answer));
        try {
            replicas.ask(owner.get(), KIND, content, notification -> {});
        } catch (ReplicaLostException e) {
            log.atDebug()
                    .addKeyValue("replica", owner.get())
                    .addKeyValue("error", e.getMessage())
                    .log("Response of a client did not reach the replica that sent the request");
        }
    }

    @Override
    public ObjectNode serve(ObjectNode request, Consumer<ObjectNode> notification) {
        JsonNode answer = request.path("answer");
        questions.answered(
                request.path("session").asString(),
                answer.path("id"),
                JsonRpcCodec.fromTree(answer));
        return Json.MAPPER.createObjectNode();
    }
}
