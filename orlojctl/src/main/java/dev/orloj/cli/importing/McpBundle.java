package dev.orloj.cli.importing;

import dev.orloj.api.codec.Json;
import dev.orloj.cli.clientfile.Notation;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.file.Path;
import java.util.Optional;

/** The manifest of an MCPB bundle that is unpacked in a folder. */
final class McpBundle {

    private McpBundle() {}

    static boolean isManifest(JsonNode root) {
        return (root.has("manifest_version") || root.has("dxt_version"))
                && root.path("server").isObject();
    }

    /**
     * Reads the server of a bundle.
     *
     * @param manifest the file; the programs of the bundle are beside it
     * @throws EntryException when the bundle does not describe a program, or a setting has no value
     */
    static ConfiguredServer read(
            ObjectNode root, Surroundings surroundings, Optional<Path> manifest) {
        JsonNode config = root.at("/server/mcp_config");
        if (!(config instanceof ObjectNode object) || !config.hasNonNull("command")) {
            throw new EntryException(
                    "server.mcp_config.command is missing; the bundle describes no program");
        }
        ObjectNode entry = object.deepCopy();
        if (entry.at("/platform_overrides/linux") instanceof ObjectNode linux) {
            linux.properties().forEach(f -> entry.set(f.getKey(), f.getValue()));
        }
        entry.remove("platform_overrides");
        String folder =
                manifest.map(Path::toAbsolutePath)
                        .map(Path::getParent)
                        .map(Path::toString)
                        .orElse("");
        ObjectNode filled = (ObjectNode) fill(entry, new Fill(root, surroundings, folder));
        ConfiguredServer server =
                new EntryReader(Notation.BRACES, surroundings)
                        .read(root.path("name").asString(""), filled)
                        .orElseThrow(() -> new EntryException("server.mcp_config is empty"));
        boolean isBroken = folder.isEmpty() && config.toString().contains("${__dirname}");
        return isBroken
                ? server.noting("the programs of the bundle are not here: unpack it into a folder")
                : server;
    }

    private record Fill(JsonNode root, Surroundings surroundings, String folder) {

        String text(String text) {
            String result =
                    text.replace("${__dirname}", folder)
                            .replace("${HOME}", surroundings.home().toString())
                            .replace("${/}", "/")
                            .replace("${pathSeparator}", "/");
            for (var setting : root.path("user_config").properties()) {
                String reference = "${user_config." + setting.getKey() + "}";
                if (result.contains(reference)) {
                    result = result.replace(reference, value(setting.getKey(), setting.getValue()));
                }
            }
            return result;
        }

        private String value(String key, JsonNode setting) {
            JsonNode fallback = setting.path("default");
            String usual =
                    fallback.isArray() && !fallback.isEmpty()
                            ? fallback.get(0).asString("")
                            : fallback.isValueNode() ? fallback.asString("") : "";
            Optional<String> answer =
                    surroundings
                            .ask()
                            .apply(
                                    new Surroundings.Input(
                                            key,
                                            setting.path("title").asString(key),
                                            setting.path("sensitive").asBoolean(false),
                                            text(usual)));
            if (answer.isEmpty() && usual.isEmpty() && setting.path("required").asBoolean(false)) {
                // A variable of that name may have it: expanded later, or reported as missing.
                return "${" + key + "}";
            }
            return answer.filter(a -> !a.isEmpty()).orElseGet(() -> text(usual));
        }
    }

    private static JsonNode fill(JsonNode node, Fill fill) {
        if (node.isString()) {
            return Json.MAPPER.getNodeFactory().stringNode(fill.text(node.asString()));
        }
        if (node.isArray()) {
            ArrayNode filled = Json.MAPPER.createArrayNode();
            node.forEach(item -> filled.add(fill(item, fill)));
            return filled;
        }
        if (node.isObject()) {
            ObjectNode filled = Json.MAPPER.createObjectNode();
            node.properties().forEach(f -> filled.set(f.getKey(), fill(f.getValue(), fill)));
            return filled;
        }
        return node;
    }
}
