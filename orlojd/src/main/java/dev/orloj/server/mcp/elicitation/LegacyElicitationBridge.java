package dev.orloj.server.mcp.elicitation;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.catalog.ServerEntry;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.client.ServerIdentity;
import dev.orloj.server.mcp.catalog.FeatureNames;
import dev.orloj.server.mcp.protocol.ClientRequest;
import dev.orloj.server.mcp.protocol.MultiRoundTrip;
import dev.orloj.server.mcp.protocol.ProtocolError;
import dev.orloj.server.mcp.protocol.RequestIdentity;

import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.util.Optional;

/**
 * Lets clients of 2026-07-28 make multi-round requests to servers of older revisions: the call is
 * suspended between the rounds, whichever replica receives the next one. Thread-safe.
 */
public final class LegacyElicitationBridge {

    private final ToolCatalog catalog;
    private final SuspendedCalls suspended;
    private final RequestStates states;
    private final RemoteSuspendedCalls elsewhere;
    private final InstantSource clock;

    /**
     * @param elsewhere forwards to calls that are suspended at other replicas
     */
    public LegacyElicitationBridge(
            ToolCatalog catalog,
            SuspendedCalls suspended,
            RequestStates states,
            RemoteSuspendedCalls elsewhere,
            InstantSource clock) {
        this.catalog = catalog;
        this.suspended = suspended;
        this.states = states;
        this.elsewhere = elsewhere;
        this.clock = clock;
    }

    /** Looks up the server of a request; empty when it cannot be called. */
    @FunctionalInterface
    public interface ServerLookup {
        Optional<ServerEntry> find() throws InterruptedException;
    }

    /** Runs one round of a request for a prompt or a resource; see the other method. */
    public ObjectNode make(ClientRequest request, CallingClient agent, SuspendedCall.Work work)
            throws InterruptedException {
        return make(request, agent, () -> serverOf(request).flatMap(catalog::findServer), work);
    }

    /**
     * Runs one round of a request.
     *
     * @param work the request, if it cannot be suspended
     * @throws ProtocolError when it ends with an error
     * @throws InterruptedException when the client is gone
     */
    public ObjectNode make(
            ClientRequest request,
            CallingClient agent,
            ServerLookup server,
            SuspendedCall.Work work)
            throws InterruptedException {
        Optional<RequestStates.State> state =
                Optional.of(request.params().path(MultiRoundTrip.STATE))
                        .filter(given -> given.isString())
                        .flatMap(given -> states.open(given.stringValue()));
        if (state.isPresent()) {
            return proceed(request, agent, state.get());
        }
        if (UrlElicitationError.isDeclined(request.params().path(MultiRoundTrip.RESPONSES))) {
            return ended(request, "The user did not visit the page that the server needs visited");
        }
        if (request.capabilities().isEmpty() || server.find().filter(this::isParkable).isEmpty()) {
            return work.run(agent);
        }
        if (request.params().has(MultiRoundTrip.STATE)) {
            throw ProtocolError.invalidParams(
                    "\"params.requestState\" is none that was given out here");
        }
        return suspended.begin(RequestIdentity.of(request), work, request, agent);
    }

    private ObjectNode proceed(
            ClientRequest request, CallingClient agent, RequestStates.State state)
            throws InterruptedException {
        RequestIdentity identity = RequestIdentity.of(request);
        if (!identity.equals(new RequestIdentity(state.caller(), state.request()))) {
            throw ProtocolError.invalidParams(
                    "\"params.requestState\" was given out for another request: repeat that one,"
                            + " with \"inputResponses\"");
        }
        try {
            if (!clock.instant().isBefore(state.expiresAt())) {
                throw new SuspendedCallLostException("the answer came too late");
            }
            return state.owner().equals(suspended.replica())
                    ? suspended.proceed(
                            state.call(), request.params().path(MultiRoundTrip.RESPONSES), agent)
                    : elsewhere.proceed(
                            state, request.params().path(MultiRoundTrip.RESPONSES), agent);
        } catch (SuspendedCallLostException e) {
            return lost(request, String.valueOf(e.getMessage()));
        }
    }

    /** For a tool call a result, so that a model can begin the call again; else an error. */
    private static ObjectNode lost(ClientRequest request, String why) {
        return ended(
                request,
                "The request cannot go on, because %s; begin it again, without \"requestState\""
                        .formatted(why));
    }

    private static ObjectNode ended(ClientRequest request, String message) {
        if (!request.method().equals("tools/call")) {
            throw ProtocolError.internal(message, null);
        }
        ObjectNode result = Json.MAPPER.createObjectNode();
        result.putArray("content").addObject().put("type", "text").put("text", message);
        return result.put("isError", true);
    }

    /** Whether the server may send requests to the client, and has no rounds for them. */
    private boolean isParkable(ServerEntry server) {
        return server.definition().requestPolicy().parks()
                && catalog.findIdentity(server.definition().server())
                        .map(ServerIdentity::hasSessions)
                        .orElse(true);
    }

    private static Optional<ResourceKey> serverOf(ClientRequest request) {
        return switch (request.method()) {
            case "prompts/get" ->
                    Optional.of(
                            FeatureNames.ownerOfPrompt(
                                            request.scope(), request.requiredText("name"))
                                    .server());
            case "resources/read" ->
                    Optional.of(
                            FeatureNames.ownerOfUri(request.scope(), request.requiredText("uri"))
                                    .server());
            default -> Optional.empty();
        };
    }
}
