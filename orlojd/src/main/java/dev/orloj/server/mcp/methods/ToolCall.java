package dev.orloj.server.mcp.methods;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.controllers.CatalogFreshness;
import dev.orloj.runtime.call.CallOutcome;
import dev.orloj.runtime.call.CallRequest;
import dev.orloj.runtime.call.ToolCaller;
import dev.orloj.runtime.catalog.ResolvedTool;
import dev.orloj.runtime.catalog.ServerEntry;
import dev.orloj.runtime.observation.CallId;
import dev.orloj.runtime.observation.CallIds;
import dev.orloj.server.audit.CallAudit;
import dev.orloj.server.authorization.Rights;
import dev.orloj.server.mcp.catalog.VisibleTools;
import dev.orloj.server.mcp.elicitation.CallingClient;
import dev.orloj.server.mcp.protocol.ClientRequest;
import dev.orloj.server.mcp.protocol.MultiRoundTrip;
import dev.orloj.server.mcp.protocol.ProtocolError;
import dev.orloj.server.mcp.protocol.ReservedMeta;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One {@code tools/call}, in one round or more. Looks up the tool and its server once; a round that
 * follows another looks them up again, because the client may have taken its time. For one thread
 * at a time.
 */
final class ToolCall {

    /** Members of the params that this class reads, or that belong to later rounds of a call. */
    private static final Set<String> OWN_MEMBERS =
            Set.of(
                    "name",
                    "arguments",
                    ReservedMeta.MEMBER,
                    MultiRoundTrip.RESPONSES,
                    MultiRoundTrip.STATE);

    private final ClientRequest request;
    private final VisibleTools tools;
    private final CatalogFreshness freshness;
    private final ToolCaller caller;
    private final CallIds ids;
    private final CallResults results;
    private final Rights rights;
    private final CallAudit.Call audit;
    private @Nullable ResolvedTool resolved;

    ToolCall(
            ClientRequest request,
            VisibleTools tools,
            CatalogFreshness freshness,
            ToolCaller caller,
            CallIds ids,
            CallResults results,
            CallAudit.Call audit) {
        this.audit = audit;
        this.request = request;
        this.rights = request.rights();
        this.tools = tools;
        this.freshness = freshness;
        this.caller = caller;
        this.ids = ids;
        this.results = results;
    }

    /**
     * Returns the server of the tool; empty when it cannot be called.
     *
     * @throws ProtocolError when the endpoint has no such tool, or not for the user
     */
    Optional<ServerEntry> server() throws InterruptedException {
        return resolved().server();
    }

    private ResolvedTool resolved() throws InterruptedException {
        ResolvedTool known = resolved;
        if (known == null) {
            String name = request.requiredText("name");
            known = find(name).orElseThrow(() -> tools.notFound(request.scope(), rights, name));
            resolved = known;
            audit.found(known.tool().tool(), CallId.NONE);
        }
        return known;
    }

    /** Looks up the tool once, and once more only if the catalog may be behind the store. */
    private Optional<ResolvedTool> find(String name) throws InterruptedException {
        Optional<ResolvedTool> known = tools.find(request.scope(), rights, name);
        if (known.filter(tools::isComplete).isPresent()) {
            return known;
        }
        freshness.await();
        return tools.find(request.scope(), rights, name);
    }

    /**
     * Makes the call. Runs once.
     *
     * @param agent receives the requests of the server
     * @throws ProtocolError when there is no result
     */
    ObjectNode run(CallingClient agent) throws InterruptedException {
        ResolvedTool tool = resolved();
        request.era()
                .checkHeaders(
                        tool.tool().mirrored(),
                        request.params().path("arguments"),
                        request.headers());
        CallOutcome outcome =
                request.era().makeRounds(request, agent.client(), new Rounds(tool, agent));
        return results.answer(request, tool.tool().server(), request.requiredText("name"), outcome);
    }

    /** Makes the call for a user, and ends it when the user loses the right to it. */
    ObjectNode runWhileAllowed(CallingClient agent) throws InterruptedException {
        ResourceKey tool = resolved().tool().tool();
        return RevocableWork.run(
                rights,
                () -> rights.tools(tool.namespace()).contains(tool.name()),
                () -> ProtocolError.unknown(request.requiredText("name")),
                () -> run(agent));
    }

    /** The rounds of the call, each with an id of its own. */
    private final class Rounds implements MultiRoundTrip.Attempt {

        private final ResourceKey key;
        private final CallingClient agent;
        private Optional<ResolvedTool> known;

        Rounds(ResolvedTool tool, CallingClient agent) {
            this.key = tool.tool().tool();
            this.known = Optional.of(tool);
            this.agent = agent;
        }

        @Override
        public CallOutcome make(ObjectNode members) throws InterruptedException {
            JsonNode arguments = request.params().path("arguments");
            CallId id = ids.next();
            audit.found(key, id);
            CallRequest call =
                    new CallRequest(
                            key,
                            known,
                            arguments.isNull() ? MissingNode.getInstance() : arguments,
                            Optional.empty(),
                            request.headers().caller(),
                            extra(request.params(), members),
                            agent.progress(),
                            id,
                            agent.client());
            known = Optional.empty();
            return caller.call(call);
        }
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
