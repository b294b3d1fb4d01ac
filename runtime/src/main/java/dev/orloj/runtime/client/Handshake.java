package dev.orloj.runtime.client;

import dev.orloj.runtime.transport.ProtocolRevision;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The {@code initialize} exchange: offers the newest revision and accepts any older one. */
final class Handshake {

    private Handshake() {}

    /**
     * @param capabilities what the server may request
     */
    static ObjectNode offer(String clientVersion, ObjectNode capabilities) {
        ObjectNode params = JsonNodeFactory.instance.objectNode();
        params.put("protocolVersion", ProtocolRevision.newestLegacy().version());
        params.set("capabilities", capabilities);
        params.putObject("clientInfo").put("name", "orlojd").put("version", clientVersion);
        return params;
    }

    /**
     * @throws McpProtocolException when the response contains no version or an unsupported one
     */
    static ServerIdentity accept(JsonNode answer) {
        JsonNode version = answer.path("protocolVersion");
        if (!version.isString()) {
            throw new McpProtocolException(
                    "Answer to \"initialize\" has no protocolVersion: the program may be no MCP"
                            + " server");
        }
        if (ProtocolRevision.legacy().stream()
                .noneMatch(revision -> revision.version().equals(version.asString()))) {
            throw unknown(version.asString());
        }
        return ServerIdentity.of(
                version.asString(),
                answer.path("serverInfo"),
                answer.path("capabilities"),
                answer.path("instructions"));
    }

    /**
     * @param spoken the version or versions that the server supports
     */
    static McpProtocolException unknown(String spoken) {
        return new McpProtocolException(
                "Server speaks protocol version \"%s\" only; known here are %s"
                        .formatted(
                                spoken,
                                Arrays.stream(ProtocolRevision.values())
                                        .map(ProtocolRevision::version)
                                        .collect(Collectors.joining(", "))));
    }
}
