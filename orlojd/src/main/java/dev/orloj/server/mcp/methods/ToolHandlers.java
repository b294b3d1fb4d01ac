package dev.orloj.server.mcp.methods;

import dev.orloj.api.codec.Json;
import dev.orloj.runtime.call.CallOutcome;
import dev.orloj.runtime.call.CallRequest;
import dev.orloj.runtime.call.ToolCaller;
import dev.orloj.runtime.catalog.ToolEntry;
import dev.orloj.runtime.trace.CallIds;
import dev.orloj.server.mcp.catalog.VisibleTools;
import dev.orloj.server.mcp.elicitation.CallingClient;
import dev.orloj.server.mcp.protocol.CacheHints;
import dev.orloj.server.mcp.protocol.ClientRequest;
import dev.orloj.server.mcp.protocol.MultiRoundTrip;
import dev.orloj.server.mcp.protocol.ProtocolError;
import dev.orloj.server.mcp.protocol.ReservedMeta;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Handles {@code tools/list} and {@code tools/call}. Thread-safe. */
public final class ToolHandlers {

    /** Members of the params that this class reads, or that belong to later rounds of a call. */
    private static final Set<String> OWN_MEMBERS =
            Set.of(
                    "name",
                    "arguments",
                    ReservedMeta.MEMBER,
                    MultiRoundTrip.RESPONSES,
                    MultiRoundTrip.STATE);

    private final VisibleTools tools;
    private final ToolCaller caller;

    private final CallIds ids;

    private final CallResults callResults;

    public ToolHandlers(
            VisibleTools tools, ToolCaller caller, CallIds ids, CallResults callResults) {
        this.tools = tools;
        this.caller = caller;
        this.ids = ids;
        this.callResults = callResults;
    }

    ObjectNode list(ClientRequest request) {
        JsonNode cursor = request.params().path("cursor");
        return CacheHints.ofCatalogue(
                tools.list(
                        request.scope(),
                        request.revision(),
                        cursor.isMissingNode()
                                ? Optional.empty()
                                : Optional.of(request.requiredText("cursor"))),
                request.era());
    }

    ObjectNode call(ClientRequest request, CallingClient agent) throws InterruptedException {
        String name = request.requiredText("name");
        ObjectNode params = request.params();
        ToolEntry tool =
                tools.find(request.scope(), name).orElseThrow(() -> ProtocolError.unknown(name));
        JsonNode arguments = params.path("arguments");
        request.era().checkHeaders(tool.mirrored(), arguments, request.headers());
        CallOutcome outcome =
                request.era()
                        .makeRounds(
                                request,
                                agent.client(),
                                round ->
                                        caller.call(
                                                new CallRequest(
                                                        tool.tool(),
                                                        arguments.isNull()
                                                                ? MissingNode.getInstance()
                                                                : arguments,
                                                        Optional.empty(),
                                                        CallRequest.ANYBODY,
                                                        extra(params, round),
                                                        agent.progress(),
                                                        ids.next(),
                                                        agent.client())));
        return callResults.answer(request, tool.server(), name, outcome);
    }

    /** Returns the members that the server receives besides the arguments. */
    private static ObjectNode extra(ObjectNode params, ObjectNode round) {
        ObjectNode extra = Json.MAPPER.createObjectNode().setAll(round);
        for (Map.Entry<String, JsonNode> member : params.properties()) {
            if (!OWN_MEMBERS.contains(member.getKey())) {
                extra.set(member.getKey(), member.getValue());
            }
        }
        if (params.path(ReservedMeta.MEMBER) instanceof ObjectNode meta) {
            ObjectNode passedOn = ReservedMeta.passedOn(meta);
            if (!passedOn.isEmpty()) {
                extra.set(ReservedMeta.MEMBER, passedOn);
            }
        }
        return extra;
    }
}
