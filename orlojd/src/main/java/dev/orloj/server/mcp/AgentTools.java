package dev.orloj.server.mcp;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.catalog.ToolEntry;
import dev.orloj.runtime.transport.ProtocolRevision;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * The tools that one endpoint shows, from the catalogue: no server is asked, asleep or not. The
 * order is that of their names, the same on every replica. Thread-safe.
 */
final class AgentTools {

    /** Many, since many agents do not ask for a second page. */
    static final int PAGE = 1_000;

    private final ToolCatalog catalog;

    AgentTools(ToolCatalog catalog) {
        this.catalog = catalog;
    }

    /** The tool that the endpoint shows under this name. */
    Optional<ToolEntry> find(Scope scope, String name) {
        return switch (scope) {
            case Scope.Namespace namespace ->
                    catalog.findByAgentName(namespace.namespace(), name)
                            .filter(entry -> namespace.covers(entry.server()));
            case Scope.Server server -> catalog.findByServerName(server.server(), name);
        };
    }

    /**
     * A page of the list, and where it goes on.
     *
     * @param cursor of the page before; empty for the first
     * @throws ProtocolError when the cursor is none of ours
     */
    ObjectNode list(Scope scope, ProtocolRevision revision, Optional<String> cursor) {
        String after = cursor.map(AgentTools::nameOf).orElse("");
        ObjectNode page = Json.MAPPER.createObjectNode();
        ArrayNode tools = page.putArray("tools");
        String last = after;
        for (ToolEntry entry : entries(scope, after)) {
            if (!scope.covers(entry.server())) {
                continue;
            }
            String name = name(scope, entry);
            if (name.equals(last)) {
                continue; // two Tools for one tool of a server; calls go to the first
            }
            if (tools.size() == PAGE) {
                page.put("nextCursor", cursorOf(last));
                break;
            }
            ObjectNode definition =
                    FeatureNames.withViews(scope, entry.server(), definition(name, entry));
            tools.add(Downgrade.definition(definition, revision));
            last = name;
        }
        return page;
    }

    private Iterable<ToolEntry> entries(Scope scope, String after) {
        return switch (scope) {
            case Scope.Namespace namespace ->
                    catalog.toolsOfNamespace(namespace.namespace(), after);
            case Scope.Server server -> catalog.toolsOfServer(server.server(), after);
        };
    }

    private static String name(Scope scope, ToolEntry entry) {
        return switch (scope) {
            case Scope.Namespace _ -> entry.agentName();
            case Scope.Server _ -> entry.mcpToolName();
        };
    }

    /** The definition under the name of the endpoint; all else is the server's. */
    private static ObjectNode definition(String name, ToolEntry entry) {
        return name.equals(entry.mcpToolName())
                ? entry.definition()
                : Json.MAPPER.createObjectNode().setAll(entry.definition()).put("name", name);
    }

    private static String cursorOf(String name) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(name.getBytes(StandardCharsets.UTF_8));
    }

    private static String nameOf(String cursor) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Base64.getUrlDecoder().decode(cursor)))
                    .toString();
        } catch (IllegalArgumentException | CharacterCodingException e) {
            throw ProtocolError.invalidParams(
                    "\"params.cursor\" is none that was given out here: list from the beginning");
        }
    }
}
