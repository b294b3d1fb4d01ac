package dev.orloj.server.mcp;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.session.ServerIdentity;

import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;

/** What an endpoint can do for agents. */
final class Capabilities {

    private Capabilities() {}

    /**
     * @param server whose endpoint it is; empty for that of a namespace
     */
    static ObjectNode of(Optional<ServerIdentity> server, Revision revision) {
        ObjectNode capabilities = Json.MAPPER.createObjectNode();
        capabilities.putObject("tools").put("listChanged", true);
        return capabilities;
    }
}
