package dev.orloj.benchmarks.call;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.util.List;

/** Manifests of echo servers, and where what they are about is found. */
final class EchoManifest {

    static final String NAMESPACE = "/apis/orloj.dev/v1/namespaces/default/";
    static final String SERVERS = NAMESPACE + "mcpservers";

    private EchoManifest() {}

    /**
     * @param idleTimeout after which its session is closed; empty for never
     */
    static String of(String name, String idleTimeout) {
        List<String> command = EchoServer.command();
        ObjectNode manifest = empty(name);
        ObjectNode spec = manifest.putObject("spec");
        spec.put("transport", "stdio").put("command", command.getFirst());
        command.stream().skip(1).forEach(spec.putArray("args")::add);
        if (!idleTimeout.isEmpty()) {
            spec.put("idle_timeout", idleTimeout);
        }
        return manifest.toString();
    }

    /** A server over HTTP, whose session stays open. */
    static String http(String name, URI url) {
        ObjectNode manifest = empty(name);
        manifest.withObjectProperty("spec")
                .put("transport", "http")
                .put("endpoint", url.toString())
                .put("idle_timeout", "0s");
        return manifest.toString();
    }

    private static ObjectNode empty(String name) {
        ObjectNode manifest = Json.MAPPER.createObjectNode();
        manifest.put("apiVersion", "orloj.dev/v1").put("kind", "McpServer");
        manifest.putObject("metadata").put("name", name);
        return manifest;
    }

    static String toolPath(String server) {
        return NAMESPACE + "tools/" + server + "--echo";
    }

    static String sessionsPath(String server) {
        return SERVERS + "/" + server + "/sessions";
    }

    /** Whether a list, as the API answers it, has so many items. */
    static boolean hasItems(String list, int expected) {
        return Json.MAPPER.readTree(list).path("items").size() == expected;
    }
}
