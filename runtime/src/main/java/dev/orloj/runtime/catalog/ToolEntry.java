package dev.orloj.runtime.catalog;

import dev.orloj.api.ResourceKey;
import dev.orloj.runtime.result.OutputLimit;
import dev.orloj.runtime.transport.http.ParameterHeaders;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/**
 * A tool that can be called.
 *
 * @param tool the Tool resource
 * @param server {@link #noServer} for a declared tool
 * @param mcpToolName the name at its server
 * @param agentName the name for clients
 * @param inputSchema as received from the server; treated as read-only
 * @param timeout timeout of a call, if the tool sets one
 * @param output limit of the text of a result, if the tool sets one
 * @param definition the complete definition as received from the server; treated as read-only
 * @param createdAt creation time of the Tool resource
 * @param mirrored the arguments of a call that the server requires in headers too
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
        ParameterHeaders mirrored,
        Instant createdAt) {

    /** The order in which Tools claim a name: the oldest first. */
    static final Comparator<ToolEntry> OLDEST_FIRST =
            Comparator.comparing(ToolEntry::createdAt).thenComparing(entry -> entry.tool().name());

    /**
     * Creates an entry with only a name and a schema, whose results have the limit of the server.
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
                ParameterHeaders.orNone(inputSchema),
                Instant.EPOCH);
    }

    /**
     * Returns the placeholder server of the declared tools of a namespace, which have no server.
     */
    public static ResourceKey noServer(String namespace) {
        return new ResourceKey(namespace, "");
    }

    /** Returns whether the tool has an endpoint of its own instead of a server. */
    public boolean isDeclared() {
        return server.name().isEmpty();
    }

    private static ObjectNode definition(String name, JsonNode inputSchema) {
        ObjectNode definition = JsonNodeFactory.instance.objectNode().put("name", name);
        definition.set("inputSchema", inputSchema);
        return definition;
    }

    /** Returns whether both entries are the same in lists. */
    public boolean looksLike(ToolEntry other) {
        return server.equals(other.server)
                && agentName.equals(other.agentName)
                && definition.equals(other.definition);
    }
}
