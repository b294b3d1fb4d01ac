package dev.orloj.server.replica;

import dev.orloj.api.FieldError;
import dev.orloj.api.FieldPath;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.call.CallOutcome;
import dev.orloj.runtime.call.CallOutcome.ServerUnavailable;
import dev.orloj.runtime.catalog.Refusal;
import dev.orloj.runtime.jsonrpc.JsonRpcCodec;
import dev.orloj.runtime.jsonrpc.JsonRpcError;
import dev.orloj.runtime.limit.Limit;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Encodes outcomes of calls as JSON objects and decodes them, without loss. During an upgrade, the
 * other replica can be a newer orlojd, with outcomes that this one does not know.
 */
final class CallOutcomeCodec {

    private static final String TYPE = "type";
    private static final String DELIVERED = "delivered";

    /** How much of a type that is not known an error shows. */
    private static final int MAX_SHOWN = 64;

    private CallOutcomeCodec() {}

    static ObjectNode encode(CallOutcome outcome) {
        // For replicas that do not know the type.
        ObjectNode node = Json.MAPPER.createObjectNode().put(DELIVERED, outcome.delivered());
        switch (outcome) {
            case CallOutcome.Completed(JsonNode result) ->
                    node.put(TYPE, "completed").set("result", result);
            case CallOutcome.InputRequired(ResourceKey server, ObjectNode result) ->
                    about(node, "inputRequired", server).set("result", result);
            case CallOutcome.ToolNotFound(ResourceKey tool) -> about(node, "toolNotFound", tool);
            case CallOutcome.ToolNotCallable(ResourceKey tool, String why) ->
                    about(node, "toolNotCallable", tool).put("why", why);
            case CallOutcome.ServerRefused(Optional<ResourceKey> tool, Refusal refusal) ->
                    about(node, "serverRefused", refusal.key())
                            .put("tool", tool.map(ResourceKey::name).orElse(""))
                            .put("why", refusal.why())
                            .put("message", refusal.message());
            case CallOutcome.DefinitionHeld(ResourceKey server, String why) ->
                    about(node, "definitionHeld", server).put("why", why);
            case CallOutcome.UserNotAuthorized(Refusal refusal) ->
                    about(node, "userNotAuthorized", refusal.key())
                            .put("why", refusal.why())
                            .put("message", refusal.message());
            case CallOutcome.InvalidArguments(ResourceKey tool, List<FieldError> errors) ->
                    putErrors(about(node, "invalidArguments", tool).putArray("errors"), errors);
            case ServerUnavailable(Refusal refusal, boolean _) ->
                    about(node, "serverUnavailable", refusal.key())
                            .put("reason", refusal.why())
                            .put("why", refusal.message());
            case CallOutcome.ServerError(ResourceKey server, JsonRpcError error) ->
                    about(node, "serverError", server).set("error", JsonRpcCodec.toTree(error));
            case CallOutcome.TimedOut(ResourceKey server, Duration after, boolean silent) ->
                    about(node, "timedOut", server)
                            .put("after", after.toString())
                            .put("silent", silent);
            case CallOutcome.Refused(Refusal refusal, Limit limit, Duration retryAfter) ->
                    about(node, "refused", refusal.key())
                            .put("limit", limit.name())
                            .put("why", refusal.why())
                            .put("message", refusal.message())
                            .put("retryAfter", retryAfter.toString());
            case CallOutcome.Cancelled() -> node.put(TYPE, "cancelled");
        }
        return node;
    }

    private static ObjectNode about(ObjectNode node, String type, ResourceKey key) {
        return node.put(TYPE, type).put("namespace", key.namespace()).put("name", key.name());
    }

    private static void putErrors(ArrayNode array, List<FieldError> errors) {
        for (FieldError error : errors) {
            array.addObject()
                    .put("path", error.path().toString())
                    .put("type", error.type().name())
                    .put("message", error.message());
        }
    }

    /**
     * Decodes a result of {@link #encode}, of this version or a newer one.
     *
     * @param server that was called
     * @throws IllegalArgumentException when the node is no outcome
     */
    static CallOutcome decode(JsonNode node, ResourceKey server) {
        ResourceKey key = new ResourceKey(text(node, "namespace"), text(node, "name"));
        return switch (text(node, TYPE)) {
            case "completed" -> new CallOutcome.Completed(node.path("result"));
            case "inputRequired" ->
                    new CallOutcome.InputRequired(key, (ObjectNode) node.path("result"));
            case "toolNotFound" -> new CallOutcome.ToolNotFound(key);
            case "toolNotCallable" -> new CallOutcome.ToolNotCallable(key, text(node, "why"));
            case "serverRefused" ->
                    new CallOutcome.ServerRefused(
                            Optional.of(text(node, "tool"))
                                    .filter(tool -> !tool.isEmpty())
                                    .map(tool -> new ResourceKey(key.namespace(), tool)),
                            new Refusal(key, text(node, "why"), text(node, "message")));
            case "definitionHeld" -> new CallOutcome.DefinitionHeld(key, text(node, "why"));
            case "userNotAuthorized" ->
                    new CallOutcome.UserNotAuthorized(
                            new Refusal(key, text(node, "why"), text(node, "message")));
            case "invalidArguments" ->
                    new CallOutcome.InvalidArguments(key, errors(node.path("errors")));
            case "serverUnavailable" ->
                    new ServerUnavailable(
                            new Refusal(
                                    key,
                                    // Absent in answers of earlier versions.
                                    node.path("reason").asString(ServerUnavailable.WHY),
                                    text(node, "why")),
                            delivered(node));
            case "serverError" ->
                    new CallOutcome.ServerError(
                            key, JsonRpcCodec.errorFromTree(node.path("error")));
            case "timedOut" ->
                    new CallOutcome.TimedOut(
                            key,
                            Duration.parse(text(node, "after")),
                            node.path("silent").asBoolean(false));
            case "refused" ->
                    limit(node)
                            .<CallOutcome>map(limit -> refused(key, limit, node))
                            .orElseGet(() -> newer(node, server, text(node, "limit")));
            case "cancelled" -> new CallOutcome.Cancelled();
            case "" -> throw new IllegalArgumentException("the answer has no outcome");
            default -> newer(node, server, text(node, TYPE));
        };
    }

    private static CallOutcome newer(JsonNode node, ResourceKey server, String unknown) {
        return new ServerUnavailable(
                new Refusal(
                        server,
                        "%s: another replica, which is a newer orlojd, answered with \"%s\", which this one does not know; this ends when all replicas are upgraded"
                                .formatted(ServerUnavailable.WHY, shown(unknown)),
                        ""),
                delivered(node));
    }

    private static String shown(String unknown) {
        return unknown.length() > MAX_SHOWN ? unknown.substring(0, MAX_SHOWN) + "..." : unknown;
    }

    private static boolean delivered(JsonNode node) {
        return node.path(DELIVERED).asBoolean(true);
    }

    private static Optional<Limit> limit(JsonNode node) {
        String name = text(node, "limit");
        return Stream.of(Limit.values()).filter(limit -> limit.name().equals(name)).findFirst();
    }

    private static CallOutcome.Refused refused(ResourceKey server, Limit limit, JsonNode node) {
        return new CallOutcome.Refused(
                new Refusal(server, text(node, "why"), text(node, "message")),
                limit,
                Duration.parse(text(node, "retryAfter")));
    }

    private static List<FieldError> errors(JsonNode array) {
        List<FieldError> errors = new ArrayList<>();
        for (JsonNode error : array) {
            errors.add(
                    new FieldError(
                            FieldPath.of(text(error, "path")),
                            FieldError.Type.valueOf(text(error, "type")),
                            text(error, "message")));
        }
        return errors;
    }

    private static String text(JsonNode node, String member) {
        return node.path(member).asString("");
    }
}
