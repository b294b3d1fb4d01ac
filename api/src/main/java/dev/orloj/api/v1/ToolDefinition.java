package dev.orloj.api.v1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

import dev.orloj.api.codec.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.node.ObjectNode;

/**
 * The definition of a tool as its MCP server lists it, except the name. Nothing is lost: fields
 * without a component, or with a type that their component does not accept, go into {@code extra}.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonNaming(SnakeCaseStrategy.class)
public record ToolDefinition(
        @Nullable String title,
        @Nullable String description,
        @Nullable JsonNode inputSchema,
        @Nullable JsonNode outputSchema,
        @Nullable JsonNode annotations,
        @Nullable JsonNode icons,
        @JsonProperty("_meta") @Nullable JsonNode meta,
        @Nullable ObjectNode extra) {

    /**
     * Reads an element of the {@code tools} of a {@code tools/list} result.
     *
     * @param listed is not changed
     */
    static ToolDefinition of(ObjectNode listed) {
        ObjectNode rest = listed.deepCopy();
        rest.remove("name");
        return new ToolDefinition(
                takeText(rest, "title"),
                takeText(rest, "description"),
                takeObject(rest, "inputSchema"),
                takeObject(rest, "outputSchema"),
                takeObject(rest, "annotations"),
                takeArray(rest, "icons"),
                takeObject(rest, "_meta"),
                rest.isEmpty() ? null : rest);
    }

    /** Returns the definition as it was received, equal as a JSON value. */
    ObjectNode listed(String name) {
        ObjectNode definition = Json.MAPPER.createObjectNode();
        definition.put("name", name);
        if (title != null) {
            definition.put("title", title);
        }
        if (description != null) {
            definition.put("description", description);
        }
        putIfPresent(definition, "inputSchema", inputSchema);
        putIfPresent(definition, "outputSchema", outputSchema);
        putIfPresent(definition, "annotations", annotations);
        putIfPresent(definition, "icons", icons);
        putIfPresent(definition, "_meta", meta);
        return extra == null ? definition : definition.setAll(extra);
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
