package dev.orloj.benchmarks.store;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;

import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Resources of an ordinary size: a generated Tool, some 600 bytes. */
public final class Documents {

    public static final String NAMESPACE = "bench";

    /** Annotation that sets a document apart from the one before. */
    public static final String STAMP = "bench/stamp";

    private Documents() {}

    public static ObjectNode tool(String name) {
        ObjectNode document = Json.MAPPER.createObjectNode();
        document.put("apiVersion", "orloj.dev/v1").put("kind", "Tool");
        ObjectNode metadata = document.putObject("metadata");
        metadata.put("namespace", NAMESPACE).put("name", name);
        metadata.put(
                "uid", UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString());
        metadata.put("creationTimestamp", "2026-11-20T00:00:00Z").put("generation", 1);
        metadata.putObject("labels")
                .put("orloj.dev/mcp-server", "bench")
                .put("orloj.dev/mcp-generated", "true");
        metadata.putObject("annotations");
        ObjectNode spec = document.putObject("spec");
        spec.put("description", "Looks up the answer to a question in a large body of text");
        ObjectNode schema = spec.putObject("inputSchema").put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        properties.putObject("question").put("type", "string").put("minLength", 1);
        properties.putObject("limit").put("type", "integer").put("maximum", 100);
        schema.putArray("required").add("question");
        return document;
    }

    /** Makes the document differ from the one before. */
    public static ObjectNode stamp(ObjectNode document, long stamp) {
        document.withObject("/metadata/annotations").put(STAMP, Long.toString(stamp));
        return document;
    }

    /** Returns what {@link #stamp} set; -1 for a document without one. */
    public static long stampOf(ObjectNode document) {
        return document.at("/metadata/annotations").path(STAMP).asLong(-1);
    }

    public static ResourceKey key(String name) {
        return new ResourceKey(NAMESPACE, name);
    }
}
