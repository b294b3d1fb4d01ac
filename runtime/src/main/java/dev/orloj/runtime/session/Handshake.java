package dev.orloj.runtime.session;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/** The {@code initialize} exchange: the newest revision is offered, any older one is accepted. */
final class Handshake {

    private static final List<String> VERSIONS =
            List.of("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25");

    private Handshake() {}

    static ObjectNode offer(String clientVersion) {
        ObjectNode params = JsonNodeFactory.instance.objectNode();
        params.put("protocolVersion", VERSIONS.getLast());
        params.putObject("capabilities");
        params.putObject("clientInfo").put("name", "orlojd").put("version", clientVersion);
        return params;
    }

    /**
     * @throws McpProtocolException when the answer has no version, or one that is not spoken here
     */
    static ServerIdentity accept(JsonNode answer) {
        JsonNode version = answer.path("protocolVersion");
        if (!version.isString()) {
            throw new McpProtocolException(
                    "Answer to \"initialize\" has no protocolVersion: the program may be no MCP"
                            + " server");
        }
        if (!VERSIONS.contains(version.asString())) {
            throw new McpProtocolException(
                    "Server speaks protocol version \""
                            + version.asString()
                            + "\" only; known here are "
                            + String.join(", ", VERSIONS));
        }
        JsonNode instructions = answer.path("instructions");
        return new ServerIdentity(
                version.asString(),
                object(answer, "serverInfo"),
                object(answer, "capabilities"),
                instructions.isString() ? instructions.asString() : "");
    }

    private static JsonNode object(JsonNode answer, String name) {
        JsonNode value = answer.path(name);
        return value.isObject() ? value : JsonNodeFactory.instance.objectNode();
    }
}
