package dev.orloj.runtime.testkit;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;

/**
 * What a fake server offers besides tools: the prompt {@code p}, the resource {@code file:///r}, a
 * template, completions, and the level of its log.
 */
final class FakeFeatures {

    private FakeFeatures() {}

    static void describe(ObjectNode capabilities) {
        capabilities.putObject("prompts");
        capabilities.putObject("resources").put("subscribe", true);
        capabilities.putObject("completions");
        capabilities.putObject("logging");
    }

    /** Returns the result of a method. Empty for a method that is none of these features. */
    static Optional<ObjectNode> result(String method, JsonNode params) {
        ObjectNode result = Json.MAPPER.createObjectNode();
        switch (method) {
            case "prompts/list" -> result.putArray("prompts").addObject().put("name", "p");
            case "prompts/get" -> result.put("description", "p").putArray("messages");
            case "resources/list" ->
                    result.putArray("resources")
                            .addObject()
                            .put("uri", "file:///r")
                            .put("name", "r");
            case "resources/templates/list" ->
                    result.putArray("resourceTemplates")
                            .addObject()
                            .put("uriTemplate", "file:///{x}")
                            .put("name", "x");
            case "resources/read" ->
                    result.putArray("contents")
                            .addObject()
                            .put("uri", params.path("uri").asString(""))
                            .put("text", "r");
            case "completion/complete" ->
                    result.putObject("completion").putArray("values").add("v");
            case "resources/subscribe", "resources/unsubscribe", "logging/setLevel" -> {}
            default -> {
                return Optional.empty();
            }
        }
        return Optional.of(result);
    }
}
