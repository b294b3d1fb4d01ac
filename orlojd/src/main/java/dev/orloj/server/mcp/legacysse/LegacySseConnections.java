package dev.orloj.server.mcp.legacysse;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.call.CallRequest;
import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.jsonrpc.JsonRpcMessage;
import dev.orloj.server.mcp.protocol.EndpointScope;
import dev.orloj.server.mcp.protocol.ProtocolError;
import dev.orloj.server.replica.ReplicaLostException;
import dev.orloj.server.replica.ReplicaService;

import tools.jackson.databind.node.ObjectNode;

import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;

/**
 * Holds the HTTP+SSE connections of this replica. A client may post to any replica: the id of a
 * connection names the replica that has its stream. Thread-safe.
 */
public final class LegacySseConnections implements ReplicaService {

    /** Limit of one replica. */
    static final int MOST = 10_000;

    static final String KIND = "sse-messages";

    private final String replica;
    private final Others others;
    private final ConcurrentMap<String, LegacySseConnection> open = new ConcurrentHashMap<>();

    /** Forwards to the other replicas. */
    @FunctionalInterface
    public interface Others {
        ObjectNode ask(String replica, String kind, ObjectNode request)
                throws ReplicaLostException, InterruptedException;
    }

    /**
     * @param replica the name of this one
     */
    public LegacySseConnections(String replica, Others others) {
        this.replica = replica;
        this.others = others;
    }

    String newId() {
        return replica + "." + UUID.randomUUID();
    }

    /**
     * @throws ProtocolError (503) when there are too many
     */
    void add(LegacySseConnection connection) {
        if (open.size() >= MOST) {
            throw ProtocolError.invalidRequest(
                    503, "At most %d clients are served over HTTP+SSE at a time".formatted(MOST));
        }
        open.put(connection.id(), connection);
    }

    void remove(LegacySseConnection connection) {
        open.remove(connection.id());
    }

    public int count() {
        return open.size();
    }

    /**
     * Delivers a message to a connection, on whichever replica it is.
     *
     * @throws ProtocolError (404) when there is no such connection of the user at the endpoint
     */
    void deliver(EndpointScope scope, String caller, String id, JsonRpcMessage message)
            throws InterruptedException {
        String owner = id.substring(0, Math.max(0, id.lastIndexOf('.')));
        boolean found =
                owner.equals(replica)
                        ? receive(scope.toString(), caller, id, message)
                        : pass(owner, scope, caller, id, message);
        if (!found) {
            throw unknown();
        }
    }

    private static ProtocolError unknown() {
        return ProtocolError.invalidRequest(
                404, "The stream of this session is closed, or was never open: open it again");
    }

    private boolean receive(String scope, String caller, String id, JsonRpcMessage message)
            throws InterruptedException {
        LegacySseConnection connection = open.get(id);
        if (connection == null
                || !connection.scope().toString().equals(scope)
                || !connection.caller().equals(caller)) {
            return false;
        }
        connection.receive(message);
        return true;
    }

    private boolean pass(
            String owner, EndpointScope scope, String caller, String id, JsonRpcMessage message)
            throws InterruptedException {
        ObjectNode request = Json.MAPPER.createObjectNode();
        request.put("scope", scope.toString()).put("caller", caller).put("session", id);
        request.set("message", JsonRpcCodec.toTree(message));
        try {
            return others.ask(owner, KIND, request).path("found").asBoolean(false);
        } catch (ReplicaLostException e) {
            throw unknown();
        }
    }

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public ObjectNode serve(ObjectNode request, Consumer<ObjectNode> notification)
            throws InterruptedException {
        boolean found =
                receive(
                        request.path("scope").asString(),
                        request.path("caller").asString(CallRequest.ANYBODY),
                        request.path("session").asString(),
                        JsonRpcCodec.fromTree(request.path("message")));
        return Json.MAPPER.createObjectNode().put("found", found);
    }
}
