package dev.orloj.server.mcp.uri;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Finds and rewrites the links to views of MCP Apps in the {@code _meta} of tools, results and
 * resources: {@code ui.resourceUri} and its predecessors.
 */
public final class ViewLinks {

    private static final String META = "_meta";
    private static final String UI = "ui";
    private static final String RESOURCE_URI = "resourceUri";

    /** From the first drafts of MCP Apps, and from the Apps SDK that they derive from. */
    private static final List<String> OLDER = List.of("ui/resourceUri", "openai/outputTemplate");

    private ViewLinks() {}

    /** Whether the object links to a view. */
    public static boolean areIn(JsonNode holder) {
        JsonNode meta = holder.path(META);
        return meta.path(UI).path(RESOURCE_URI).isString()
                || OLDER.stream().anyMatch(key -> meta.path(key).isString());
    }

    /** Rewrites the links of the object. */
    public static void rename(JsonNode holder, UnaryOperator<String> uri) {
        JsonNode meta = holder.path(META);
        rename(meta.path(UI), RESOURCE_URI, uri);
        OLDER.forEach(key -> rename(meta, key, uri));
    }

    private static void rename(JsonNode holder, String key, UnaryOperator<String> uri) {
        if (holder instanceof ObjectNode object && object.path(key).isString()) {
            object.put(key, uri.apply(object.path(key).stringValue()));
        }
    }
}
