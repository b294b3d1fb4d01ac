package dev.orloj.server.acceptance;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.client.ClientCapabilities;
import dev.orloj.runtime.client.RequestingClient;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;

/** An agent whose user accepts every form as it comes: with the values that the form proposes. */
final class AcceptingAgent implements RequestingClient {

    @Override
    public ClientCapabilities capabilities() {
        return ClientCapabilities.of(Json.MAPPER.readTree("{\"elicitation\": {\"form\": {}}}"));
    }

    @Override
    public JsonNode ask(ResourceKey server, String method, @Nullable JsonNode params) {
        return answer(method, params);
    }

    private static JsonNode answer(String method, @Nullable JsonNode params) {
        if (params == null || !method.equals("elicitation/create")) {
            throw new IllegalArgumentException("Asked without having offered it: " + method);
        }
        ObjectNode answer = Json.MAPPER.createObjectNode().put("action", "accept");
        answer.set("content", filled(params.path("requestedSchema")));
        return answer;
    }

    /** What the next round of a request says beside what the first one did. */
    ObjectNode answers(ObjectNode asked) {
        ObjectNode extra = Json.MAPPER.createObjectNode();
        ObjectNode responses = extra.putObject("inputResponses");
        for (Map.Entry<String, JsonNode> request : asked.path("inputRequests").properties()) {
            JsonNode question = request.getValue();
            responses.set(
                    request.getKey(),
                    answer(question.path("method").asString(), question.path("params")));
        }
        if (asked.has("requestState")) {
            extra.set("requestState", asked.path("requestState"));
        }
        return extra;
    }

    /** All properties of a schema: with what it proposes, else with something of their types. */
    static ObjectNode filled(JsonNode schema) {
        ObjectNode values = Json.MAPPER.createObjectNode();
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            JsonNode declared = property.getValue();
            JsonNode proposed = declared.path("default");
            values.set(
                    property.getKey(), proposed.isMissingNode() ? something(declared) : proposed);
        }
        return values;
    }

    private static JsonNode something(JsonNode schema) {
        return Json.MAPPER.readTree(
                switch (schema.path("type").asString("")) {
                    case "integer", "number" -> "42";
                    case "boolean" -> "true";
                    case "array" -> "[]";
                    case "object" -> "{}";
                    default -> "\"something\"";
                });
    }
}
