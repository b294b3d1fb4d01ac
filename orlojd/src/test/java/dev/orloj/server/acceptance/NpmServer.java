package dev.orloj.server.acceptance;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A server of a list such as {@code servers.json}.
 *
 * @param tools the names that it offered elsewhere; empty when the list does not say
 */
record NpmServer(
        String name,
        String command,
        List<String> args,
        Map<String, String> env,
        List<String> tools) {

    /** Reads the list; {@code ${WORK}} in it stands for a folder that servers may write to. */
    static List<NpmServer> read(Path list, Path work) throws IOException {
        String text = Files.readString(list).replace("${WORK}", work.toString());
        return Json.MAPPER.readTree(text).path("servers").valueStream().map(NpmServer::of).toList();
    }

    private static NpmServer of(JsonNode server) {
        Map<String, String> env = new TreeMap<>();
        server.path("env").properties().forEach(e -> env.put(e.getKey(), e.getValue().asString()));
        return new NpmServer(
                server.path("name").asString(),
                server.path("command").asString(),
                texts(server.path("args")),
                env,
                texts(server.path("tools")));
    }

    private static List<String> texts(JsonNode array) {
        return array.valueStream().map(JsonNode::asString).toList();
    }

    /** The manifest, with one more variable in the environment of the process. */
    ObjectNode manifest(String variable, String value) {
        ObjectNode manifest = Json.MAPPER.createObjectNode();
        manifest.put("apiVersion", "orloj.dev/v1").put("kind", "McpServer");
        manifest.putObject("metadata").put("name", name);
        ObjectNode spec = manifest.putObject("spec");
        spec.put("transport", "stdio").put("command", command);
        ArrayNode arguments = spec.putArray("args");
        args.forEach(arguments::add);
        ArrayNode variables = spec.putArray("env");
        env.forEach((key, given) -> variables.addObject().put("name", key).put("value", given));
        variables.addObject().put("name", variable).put("value", value);
        return manifest;
    }
}
