package dev.orloj.runtime.session;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * What a server said about itself in its answer to {@code initialize}.
 *
 * @param serverInfo as received; empty object when absent
 * @param capabilities as received; empty object when absent
 * @param instructions empty when absent
 */
public record ServerIdentity(
        String protocolVersion, JsonNode serverInfo, JsonNode capabilities, String instructions) {

    /** Of a session whose server has not introduced itself yet. */
    static final ServerIdentity UNKNOWN =
            new ServerIdentity(
                    "",
                    JsonNodeFactory.instance.objectNode(),
                    JsonNodeFactory.instance.objectNode(),
                    "");

    boolean hasTools() {
        return capabilities.has("tools");
    }
}
