package dev.orloj.benchmarks.footprint;

import dev.orloj.api.codec.Json;
import dev.orloj.benchmarks.suite.OrlojdProcess;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;

/** McpServers that were Ready once, and whose sessions are closed because no calls come. */
final class SleepingServers {

    static final int TOOLS_OF_EACH = 10;

    static final String SERVERS = "/apis/orloj.dev/v1/namespaces/default/mcpservers";
    static final String TOOLS = "/apis/orloj.dev/v1/namespaces/default/tools";

    private SleepingServers() {}

    static String name(int number) {
        return "sleeper-" + number;
    }

    /** Returns when all of them sleep. */
    static void create(OrlojdProcess orlojd, FakeMcpEndpoint endpoint, int servers)
            throws IOException {
        for (int i = 0; i < servers; i++) {
            orlojd.create(SERVERS, manifest(name(i), endpoint));
        }
        orlojd.await(TOOLS + "?limit=1", list -> total(list) == servers * TOOLS_OF_EACH);
        orlojd.await(SERVERS, SleepingServers::areReady);
        endpoint.awaitNoSessions();
    }

    private static String manifest(String name, FakeMcpEndpoint endpoint) {
        ObjectNode manifest = Json.MAPPER.createObjectNode();
        manifest.put("apiVersion", "orloj.dev/v1").put("kind", "McpServer");
        manifest.putObject("metadata").put("name", name);
        manifest.putObject("spec")
                .put("transport", "http")
                .put("endpoint", endpoint.url().toString())
                .put("idle_timeout", "1s");
        return manifest.toString();
    }

    private static long total(String list) {
        JsonNode tree = Json.MAPPER.readTree(list);
        return tree.path("items").size() + tree.at("/metadata/remainingItemCount").asLong(0);
    }

    private static boolean areReady(String list) {
        for (JsonNode server : Json.MAPPER.readTree(list).path("items")) {
            if (!server.at("/status/phase").asString("").equals("Ready")) {
                return false;
            }
        }
        return true;
    }
}
