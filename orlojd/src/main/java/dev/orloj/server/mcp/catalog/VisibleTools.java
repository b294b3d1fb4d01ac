package dev.orloj.server.mcp.catalog;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.call.WithheldTools;
import dev.orloj.runtime.catalog.ResolvedTool;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.catalog.ToolEntry;
import dev.orloj.runtime.transport.ProtocolRevision;
import dev.orloj.server.authorization.GrantedNames;
import dev.orloj.server.authorization.Rights;
import dev.orloj.server.mcp.protocol.EndpointScope;
import dev.orloj.server.mcp.protocol.ProtocolError;
import dev.orloj.server.mcp.protocol.ResultDowngrade;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * Lists and finds the tools of one endpoint in the catalogue, without a request to any server. The
 * order is by name, the same on every replica. Thread-safe.
 */
public final class VisibleTools {

    /** Large, because many clients do not request a second page. */
    static final int PAGE = 1_000;

    private final ToolCatalog catalog;
    private final WithheldTools withheld;

    public VisibleTools(ToolCatalog catalog, WithheldTools withheld) {
        this.catalog = catalog;
        this.withheld = withheld;
    }

    /** Looks up the tool that has this name in the endpoint, and its server. */
    public Optional<ResolvedTool> find(EndpointScope scope, Rights rights, String name) {
        Optional<ToolEntry> tool =
                switch (scope) {
                    case EndpointScope.Namespace namespace ->
                            catalog.findByAgentName(namespace.namespace(), name)
                                    .filter(entry -> namespace.covers(entry.server()));
                    case EndpointScope.Server server ->
                            catalog.findByServerName(server.server(), name);
                };
        return tool.filter(entry -> isCallable(entry.tool(), rights)).map(catalog::resolve);
    }

    /** Returns whether all is known that decides about a call: a tool may precede its server. */
    public boolean isComplete(ResolvedTool tool) {
        return catalog.isComplete(tool);
    }

    /**
     * Returns the error of a call whose tool was not found. Only a user who could call the tool
     * learns that a policy withholds it.
     */
    public ProtocolError notFound(EndpointScope scope, Rights rights, String name) {
        Optional<WithheldTools.Withheld> tool =
                switch (scope) {
                    case EndpointScope.Namespace namespace ->
                            withheld.findByAgentName(namespace.namespace(), name)
                                    .filter(each -> namespace.covers(each.outcome().server()));
                    case EndpointScope.Server server ->
                            withheld.findByServerName(server.server(), name);
                };
        return tool.filter(each -> isCallable(each.tool(), rights))
                .map(each -> ProtocolError.invalidParams(each.outcome().why()))
                .orElseGet(() -> ProtocolError.unknown(name));
    }

    private static boolean isCallable(ResourceKey tool, Rights rights) {
        return rights.tools(tool.namespace()).contains(tool.name());
    }

    /**
     * A page of the list, and the cursor of the next one.
     *
     * @param cursor of the page before; empty for the first
     * @throws ProtocolError when the cursor was not issued here
     */
    public ObjectNode list(
            EndpointScope scope,
            Rights rights,
            ProtocolRevision revision,
            Optional<String> cursor) {
        GrantedNames callable = rights.tools(scope.namespace());
        String after = cursor.map(VisibleTools::nameOf).orElse("");
        ObjectNode page = Json.MAPPER.createObjectNode();
        ArrayNode tools = page.putArray("tools");
        String last = after;
        String seen = after;
        for (ToolEntry entry : entries(scope, after)) {
            if (!scope.covers(entry.server())) {
                continue;
            }
            String name = name(scope, entry);
            if (name.equals(seen)) {
                continue; // two Tools for one tool of a server: calls go to the first
            }
            seen = name;
            if (!callable.contains(entry.tool().name())) {
                continue; // nor may the cursor name it
            }
            if (tools.size() == PAGE) {
                page.put("nextCursor", cursorOf(last));
                break;
            }
            ObjectNode definition =
                    FeatureNames.withViews(scope, entry.server(), definition(name, entry));
            tools.add(ResultDowngrade.definition(definition, revision));
            last = name;
        }
        return page;
    }

    private Iterable<ToolEntry> entries(EndpointScope scope, String after) {
        return switch (scope) {
            case EndpointScope.Namespace namespace ->
                    catalog.toolsOfNamespace(namespace.namespace(), after);
            case EndpointScope.Server server -> catalog.toolsOfServer(server.server(), after);
        };
    }

    private static String name(EndpointScope scope, ToolEntry entry) {
        return switch (scope) {
            case EndpointScope.Namespace _ -> entry.agentName();
            case EndpointScope.Server _ -> entry.mcpToolName();
        };
    }

    /** The definition under the name of the endpoint; the rest is the server's, if it is sound. */
    private static ObjectNode definition(String name, ToolEntry entry) {
        ObjectNode sound = DefinitionRepair.tool(entry.definition());
        return name.equals(entry.mcpToolName())
                ? sound
                : Json.MAPPER.createObjectNode().setAll(sound).put("name", name);
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
