package dev.orloj.runtime.catalog;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.result.OutputLimit;
import dev.orloj.runtime.transport.http.ParameterHeaders;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.Optional;

/**
 * A tool that can be called.
 *
 * @param tool the Tool resource
 * @param server without a name when no server answers for it
 * @param mcpToolName what its server calls it
 * @param agentName what agents call it
 * @param inputSchema as received from the server; treated as read-only
 * @param timeout of a call, where the tool has one of its own
 * @param output how much text a result may have, where the tool says so itself
 * @param definition everything that the server says of it, as received; treated as read-only
 * @param mirrored which arguments of a call its server wants in headers too
 */
public record ToolEntry(
        ResourceKey tool,
        String toolUid,
        ResourceKey server,
        String mcpToolName,
        String agentName,
        JsonNode inputSchema,
        Optional<Duration> timeout,
        OutputLimit output,
        ObjectNode definition,
        ParameterHeaders mirrored) {

    /**
     * One that leaves the length of its results to its server, and of which no more is known than
     * its name and schema.
     */
    public ToolEntry(
            ResourceKey tool,
            String toolUid,
            ResourceKey server,
            String mcpToolName,
            String agentName,
            JsonNode inputSchema,
            Optional<Duration> timeout) {
        this(
                tool,
                toolUid,
                server,
                mcpToolName,
                agentName,
                inputSchema,
                timeout,
                OutputLimit.NONE,
                definition(mcpToolName, inputSchema),
                ParameterHeaders.orNone(inputSchema));
    }

    /** What stands for the server of the declared tools of a namespace, which have none. */
    public static ResourceKey noServer(String namespace) {
        return new ResourceKey(namespace, "");
    }

    private static ObjectNode definition(String name, JsonNode inputSchema) {
        ObjectNode definition = JsonNodeFactory.instance.objectNode().put("name", name);
        definition.set("inputSchema", inputSchema);
        return definition;
    }

    /** Whether lists show both alike. */
    boolean looksLike(ToolEntry other) {
        return server.equals(other.server)
                && agentName.equals(other.agentName)
                && definition.equals(other.definition);
    }
}
