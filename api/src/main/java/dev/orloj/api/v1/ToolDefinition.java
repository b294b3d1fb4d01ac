package dev.orloj.api.v1;

import dev.orloj.api.codec.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Map;

/**
 * Converts the definition of a tool, as its MCP server lists it, to the fields of a {@link
 * Tool.Spec} and back. Nothing is lost: fields without a component, or with a type that their
 * component does not accept, go into {@code extra}.
 */
public final class ToolDefinition {

    private ToolDefinition() {}

    /**
     * Returns the spec of the Tool for a definition.
     *
     * @param server name of the McpServer
     * @param agentName the name that clients will see
     * @param definition an element of the {@code tools} of a {@code tools/list} result; its {@code
     *     name} is a text
     */
    public static Tool.Spec toSpec(String server, String agentName, ObjectNode definition) {
        ObjectNode rest = definition.deepCopy();
        String name = rest.path("name").asString("");
        rest.remove("name");
        return new Tool.Spec(
                Tool.TYPE_MCP,
                "",
                server,
                name,
                agentName,
                takeText(rest, "title"),
                takeText(rest, "description"),
                takeObject(rest, "inputSchema"),
                takeObject(rest, "outputSchema"),
                takeObject(rest, "annotations"),
                takeArray(rest, "icons"),
                takeObject(rest, "_meta"),
                rest.isEmpty() ? null : rest,
                List.of(),
                "low",
                null,
                null,
                null,
                null,
                null,
                List.of(),
                List.of(),
                null,
                null);
    }

    /** Returns the definition as it was received, equal as a JSON value. */
    public static ObjectNode fromSpec(Tool.Spec spec) {
        ObjectNode definition = Json.MAPPER.createObjectNode();
        definition.put("name", spec.mcpToolName());
        if (spec.title() != null) {
            definition.put("title", spec.title());
        }
        if (spec.description() != null) {
            definition.put("description", spec.description());
        }
        putIfPresent(definition, "inputSchema", spec.inputSchema());
        putIfPresent(definition, "outputSchema", spec.outputSchema());
        putIfPresent(definition, "annotations", spec.annotations());
        putIfPresent(definition, "icons", spec.icons());
        putIfPresent(definition, "_meta", spec.meta());
        if (spec.extra() != null) {
            for (Map.Entry<String, JsonNode> field : spec.extra().properties()) {
                definition.set(field.getKey(), field.getValue());
            }
        }
        return definition;
    }

    private static @Nullable String takeText(ObjectNode rest, String field) {
        JsonNode value = rest.path(field);
        if (!value.isString()) {
            return null;
        }
        rest.remove(field);
        return value.asString();
    }

    private static @Nullable JsonNode takeObject(ObjectNode rest, String field) {
        return rest.path(field).isObject() ? rest.remove(field) : null;
    }

    private static @Nullable JsonNode takeArray(ObjectNode rest, String field) {
        return rest.path(field).isArray() ? rest.remove(field) : null;
    }

    private static void putIfPresent(
            ObjectNode definition, String field, @Nullable JsonNode value) {
        if (value != null) {
            definition.set(field, value);
        }
    }
}
