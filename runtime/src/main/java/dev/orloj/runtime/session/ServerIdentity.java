package dev.orloj.runtime.session;

import dev.orloj.runtime.transport.ProtocolRevision;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

import java.util.List;
import java.util.stream.Stream;

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

    /** Whether it is of a revision in which every request says for itself all that it has to. */
    public boolean isStateless() {
        return ProtocolRevision.of(protocolVersion)
                .filter(ProtocolRevision::isStateless)
                .isPresent();
    }

    boolean hasTools() {
        return capabilities.has("tools");
    }

    /** The lists of which it says when they change, by the name of their capability. */
    List<String> changingLists() {
        return Stream.of("tools", "prompts", "resources")
                .filter(list -> capabilities.path(list).path("listChanged").booleanValue(false))
                .toList();
    }
}
