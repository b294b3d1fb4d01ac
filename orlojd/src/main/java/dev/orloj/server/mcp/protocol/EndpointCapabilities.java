package dev.orloj.server.mcp.protocol;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.client.ServerIdentity;
import dev.orloj.runtime.extension.Extensions;

import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;
import java.util.function.Predicate;

/** Builds the capabilities that an endpoint declares to clients. */
public final class EndpointCapabilities {

    private EndpointCapabilities() {}

    /**
     * @param server the server of the endpoint; empty for that of a namespace, whose servers change
     * @param extensions that the servers declare
     */
    public static ObjectNode of(Optional<ServerIdentity> server, ObjectNode extensions) {
        Predicate<String> offered =
                name -> server.isEmpty() || server.get().capabilities().has(name);
        ObjectNode capabilities = Json.MAPPER.createObjectNode();
        capabilities.putObject("tools").put("listChanged", true);
        if (offered.test("prompts")) {
            capabilities.putObject("prompts").put("listChanged", true);
        }
        if (offered.test("resources")) {
            capabilities
                    .putObject("resources")
                    .put("subscribe", subscribes(server))
                    .put("listChanged", true);
        }
        if (offered.test("completions")) {
            capabilities.putObject("completions");
        }
        if (offered.test("logging")) {
            capabilities.putObject("logging");
        }
        if (!extensions.isEmpty()) {
            capabilities.set(Extensions.MEMBER, extensions);
        }
        return capabilities;
    }

    private static boolean subscribes(Optional<ServerIdentity> server) {
        return server.isEmpty()
                || server.get().capabilities().at("/resources/subscribe").asBoolean(false);
    }
}
