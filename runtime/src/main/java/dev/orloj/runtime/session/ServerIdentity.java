package dev.orloj.runtime.session;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * What a server said about itself in its answer to the first request.
 *
 * @param serverInfo as received; empty object when absent
 * @param capabilities as received; empty object when absent
 * @param instructions empty when absent
 */
public record ServerIdentity(
        String protocolVersion, JsonNode serverInfo, JsonNode capabilities, String instructions) {

    /** Of a session whose server has not introduced itself yet. */
    public static final ServerIdentity UNKNOWN =
            new ServerIdentity(
                    "",
                    JsonNodeFactory.instance.objectNode(),
                    JsonNodeFactory.instance.objectNode(),
                    "");

    /** What is not of the type that it should be counts as absent. */
    static ServerIdentity of(
            String protocolVersion,
            JsonNode serverInfo,
            JsonNode capabilities,
            JsonNode instructions) {
        return new ServerIdentity(
                protocolVersion,
                objectOf(serverInfo),
                objectOf(capabilities),
                instructions.isString() ? instructions.asString() : "");
    }

    private static JsonNode objectOf(JsonNode value) {
        return value.isObject() ? value : JsonNodeFactory.instance.objectNode();
    }

    boolean hasTools() {
        return capabilities.has("tools");
    }

    /** Whether it says when its list of tools changes. */
    boolean tellsOfChangedTools() {
        return capabilities.path("tools").path("listChanged").booleanValue(false);
    }
}
