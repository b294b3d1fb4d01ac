package dev.orloj.benchmarks.ledger;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * The tools of one server, each of 1 to 1.5 kB, as those of real servers are: six arguments with
 * descriptions, a default and values.
 */
final class ListedTools {

    private static final String NAMESPACE = "default";
    private static final int ARGUMENTS = 6;

    private ListedTools() {}

    /**
     * @param changed how many of them, from the first on, differ from those of another stamp
     */
    static ArrayNode list(int count, int changed, String stamp) {
        ArrayNode list = Json.MAPPER.createArrayNode();
        for (int i = 0; i < count; i++) {
            list.add(definition(i, i < changed ? stamp : ""));
        }
        return list;
    }

    private static ObjectNode definition(int number, String stamp) {
        ObjectNode tool = Json.MAPPER.createObjectNode();
        tool.put("name", "lookup" + number).put("title", "Look up number " + number);
        tool.put(
                "description",
                "Looks up the answer to a question in body of text number %d. Returns at most as many passages as asked for, best first, each with its title and address.%s"
                        .formatted(number, stamp));
        ObjectNode schema = tool.putObject("inputSchema").put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        for (int i = 0; i < ARGUMENTS; i++) {
            properties
                    .putObject("argument" + i)
                    .put("type", "string")
                    .put("default", "value " + i)
                    .put("description", "What to look for in the part with the number " + i)
                    .putArray("enum")
                    .add("value " + i)
                    .add("another value");
        }
        schema.putArray("required").add("argument0");
        tool.putObject("annotations").put("readOnlyHint", true).put("openWorldHint", false);
        return tool;
    }

    /** Returns the document of a Tool with a definition. */
    static ObjectNode document(ResourceKey key, String server, boolean inLedger, ObjectNode tool) {
        ObjectNode document = Json.MAPPER.createObjectNode();
        document.put("apiVersion", "orloj.dev/v1").put("kind", "Tool");
        ObjectNode metadata = document.putObject("metadata");
        metadata.put("namespace", key.namespace()).put("name", key.name());
        metadata.put(
                "uid",
                UUID.nameUUIDFromBytes(key.name().getBytes(StandardCharsets.UTF_8)).toString());
        metadata.put("creationTimestamp", "2026-11-20T00:00:00Z").put("generation", 1);
        metadata.putObject("labels")
                .put("orloj.dev/mcp-server", server)
                .put("orloj.dev/mcp-generated", Boolean.toString(inLedger));
        ObjectNode spec = document.putObject("spec");
        spec.put("mcp_tool_name", tool.path("name").asString(""));
        spec.set("title", tool.path("title"));
        spec.set("description", tool.path("description"));
        spec.set("input_schema", tool.path("inputSchema"));
        spec.set("annotations", tool.path("annotations"));
        return document;
    }

    static ResourceKey key(String server, ObjectNode tool) {
        return new ResourceKey(NAMESPACE, server + "--" + tool.path("name").asString(""));
    }
}
