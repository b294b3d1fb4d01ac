package dev.orloj.api.ledger;

import dev.orloj.api.codec.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;
import java.util.Optional;

/**
 * A Tool that belongs to the ledger of a server, which its labels decide.
 *
 * @param server name of the McpServer
 * @param resource name of the Tool
 * @param definition as the server lists it
 */
public record GeneratedTool(String server, String resource, ObjectNode definition) {

    public static final String SERVER_LABEL = "orloj.dev/mcp-server";
    public static final String GENERATED_LABEL = "orloj.dev/mcp-generated";

    private static final Map<String, String> FIELDS =
            Map.of(
                    "title", "title",
                    "description", "description",
                    "input_schema", "inputSchema",
                    "output_schema", "outputSchema",
                    "annotations", "annotations",
                    "icons", "icons",
                    "_meta", "_meta");

    /**
     * Reads the document of a Tool. Empty if it belongs to no server.
     *
     * @param tool is not changed
     */
    public static Optional<GeneratedTool> of(JsonNode tool) {
        JsonNode labels = tool.path("metadata").path("labels");
        String server = labels.path(SERVER_LABEL).asString("");
        if (server.isEmpty() || !labels.path(GENERATED_LABEL).asString("").equals("true")) {
            return Optional.empty();
        }
        return Optional.of(
                new GeneratedTool(
                        server,
                        tool.path("metadata").path("name").asString(""),
                        definition(tool.path("spec"))));
    }

    private static ObjectNode definition(JsonNode spec) {
        ObjectNode definition = Json.MAPPER.createObjectNode();
        definition.put("name", spec.path("mcp_tool_name").asString(""));
        for (Map.Entry<String, JsonNode> field : spec.properties()) {
            String name = FIELDS.get(field.getKey());
            if (name != null && !field.getValue().isNull()) {
                definition.set(name, field.getValue());
            }
        }
        if (spec.path("extra") instanceof ObjectNode extra) {
            definition.setAll(extra);
        }
        return definition;
    }

    /** Returns the name of the tool on its server. */
    public String tool() {
        return definition.path("name").asString("");
    }
}
