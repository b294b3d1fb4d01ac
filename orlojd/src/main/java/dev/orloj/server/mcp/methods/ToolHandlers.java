package dev.orloj.server.mcp.methods;

import dev.orloj.controllers.CatalogFreshness;
import dev.orloj.runtime.call.ToolCaller;
import dev.orloj.runtime.observation.CallIds;
import dev.orloj.server.audit.CallAudit;
import dev.orloj.server.mcp.catalog.VisibleTools;
import dev.orloj.server.mcp.protocol.CacheHints;
import dev.orloj.server.mcp.protocol.ClientRequest;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;

/** Handles {@code tools/list} and {@code tools/call}. Thread-safe. */
public final class ToolHandlers {

    private final VisibleTools tools;
    private final CatalogFreshness freshness;
    private final ToolCaller caller;

    private final CallIds ids;

    private final CallResults callResults;

    public ToolHandlers(
            VisibleTools tools,
            CatalogFreshness freshness,
            ToolCaller caller,
            CallIds ids,
            CallResults callResults) {
        this.tools = tools;
        this.freshness = freshness;
        this.caller = caller;
        this.ids = ids;
        this.callResults = callResults;
    }

    ObjectNode list(ClientRequest request) {
        JsonNode cursor = request.params().path("cursor");
        return CacheHints.ofCatalogue(
                tools.list(
                        request.scope(),
                        request.rights(),
                        request.revision(),
                        cursor.isMissingNode()
                                ? Optional.empty()
                                : Optional.of(request.requiredText("cursor"))),
                request.era(),
                request.rights());
    }

    /** Begins a call, which looks up its tool when it needs it. */
    ToolCall begin(ClientRequest request, CallAudit.Call audit) {
        return new ToolCall(request, tools, freshness, caller, ids, callResults, audit);
    }
}
