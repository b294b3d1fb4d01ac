package dev.orloj.server.mcp.methods;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.controllers.CatalogFreshness;
import dev.orloj.runtime.call.CallOutcome;
import dev.orloj.runtime.call.ServerCaller;
import dev.orloj.runtime.client.LogLevel;
import dev.orloj.runtime.client.ProgressListener;
import dev.orloj.server.authorization.Rights;
import dev.orloj.server.mcp.catalog.FeatureList;
import dev.orloj.server.mcp.catalog.FeatureLists;
import dev.orloj.server.mcp.catalog.FeatureNames;
import dev.orloj.server.mcp.catalog.FeatureNames.Owned;
import dev.orloj.server.mcp.catalog.Visibility;
import dev.orloj.server.mcp.elicitation.CallingClient;
import dev.orloj.server.mcp.protocol.CacheHints;
import dev.orloj.server.mcp.protocol.ClientRequest;
import dev.orloj.server.mcp.protocol.ClientSession;
import dev.orloj.server.mcp.protocol.EndpointScope;
import dev.orloj.server.mcp.protocol.ListKind;
import dev.orloj.server.mcp.protocol.MultiRoundTrip;
import dev.orloj.server.mcp.protocol.ProtocolError;
import dev.orloj.server.mcp.protocol.ReservedMeta;
import dev.orloj.server.mcp.session.SessionLogLevels;
import dev.orloj.server.mcp.subscriptions.ResourceSubscriptions;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Handles prompts, resources and completions: forwards each request to its server under the
 * server's own names, and returns the result under those of the endpoint. Thread-safe.
 */
public final class FeatureHandlers {

    private final FeatureLists lists;
    private final CatalogFreshness freshness;
    private final ServerCaller caller;
    private final ResourceSubscriptions subscriptions;
    private final SessionLogLevels logLevels;
    private final CallResults callResults;

    public FeatureHandlers(
            FeatureLists lists,
            CatalogFreshness freshness,
            ServerCaller caller,
            ResourceSubscriptions subscriptions,
            SessionLogLevels logLevels,
            CallResults callResults) {
        this.lists = lists;
        this.freshness = freshness;
        this.caller = caller;
        this.subscriptions = subscriptions;
        this.logLevels = logLevels;
        this.callResults = callResults;
    }

    ObjectNode list(ClientRequest request, FeatureList list, CallingClient agent)
            throws InterruptedException {
        ObjectNode result =
                switch (request.scope()) {
                    case EndpointScope.Namespace namespace ->
                            lists.ofNamespace(namespace, request.rights(), list);
                    case EndpointScope.Server(ResourceKey server) -> {
                        if (!lists.offers(server, list.capability())
                                || !Visibility.connects(server, request.rights())) {
                            throw ProtocolError.methodNotFound(request.method());
                        }
                        yield pass(request, server, params(request), agent);
                    }
                };
        return CacheHints.ofServer(result, request.era(), request.rights());
    }

    ObjectNode getPrompt(ClientRequest request, CallingClient agent) throws InterruptedException {
        Owned prompt = ownerOfPrompt(request, request.requiredText("name"));
        checkTexts("params.arguments", request.params().path("arguments"));
        return pass(request, prompt.server(), params(request).put("name", prompt.name()), agent);
    }

    ObjectNode readResource(ClientRequest request, CallingClient agent)
            throws InterruptedException {
        Owned resource = ownerOfUri(request, request.requiredText("uri"));
        ObjectNode params = params(request).put("uri", resource.name());
        return CacheHints.ofServer(
                pass(request, resource.server(), params, agent), request.era(), request.rights());
    }

    /** Finds a prompt of a server that the user may connect to; others do not exist. */
    private static Owned ownerOfPrompt(ClientRequest request, String name) {
        return usable(request, FeatureNames.ownerOfPrompt(request.scope(), name), name);
    }

    /**
     * Finds a resource of a server that the user may connect to.
     *
     * @throws ProtocolError when the endpoint has not issued the URI, or not for the user
     */
    public static Owned ownerOfUri(ClientRequest request, String uri) {
        return usable(request, FeatureNames.ownerOfUri(request.scope(), uri), uri);
    }

    private static Owned usable(ClientRequest request, Owned owned, String subject) {
        if (!Visibility.connects(owned.server(), request.rights())) {
            throw ProtocolError.unknown(subject);
        }
        return owned;
    }

    /** Completes an argument of a prompt, or of a resource template. */
    ObjectNode complete(ClientRequest request, CallingClient agent) throws InterruptedException {
        JsonNode reference = request.params().path("ref");
        boolean ofPrompt = reference.path("type").asString("").equals("ref/prompt");
        String member = ofPrompt ? "name" : "uri";
        if (!reference.path(member).isString()) {
            throw ProtocolError.invalidParams(
                    "\"params.ref\" must be of type \"ref/prompt\" with a name, or \"ref/resource\""
                            + " with a uri");
        }
        JsonNode argument = request.params().path("argument");
        if (!argument.path("name").isString() || !argument.path("value").isString()) {
            throw ProtocolError.invalidParams(
                    "\"params.argument\" must be an object with a name and a value, both texts");
        }
        checkTexts("params.context.arguments", request.params().at("/context/arguments"));
        String name = reference.path(member).asString();
        Owned owned = ofPrompt ? ownerOfPrompt(request, name) : ownerOfUri(request, name);
        ObjectNode params = params(request);
        params.set("ref", ((ObjectNode) reference.deepCopy()).put(member, owned.name()));
        return pass(request, owned.server(), params, agent);
    }

    /**
     * Rejects malformed arguments, so that one client cannot break a server that all clients share.
     */
    private static void checkTexts(String name, JsonNode arguments) {
        if (arguments.isMissingNode() || arguments.isNull()) {
            return;
        }
        if (!arguments.isObject() || !arguments.valueStream().allMatch(JsonNode::isString)) {
            throw ProtocolError.invalidParams(
                    "\"%s\" must be an object whose values are texts".formatted(name));
        }
    }

    ObjectNode subscribe(ClientRequest request) throws InterruptedException {
        Owned resource = ownerOfUri(request, request.requiredText("uri"));
        ClientSession session = request.requiredSession();
        // Adds first, so that a concurrent unsubscribe of another session does not end the server's
        // subscription.
        boolean added = subscriptions.add(session, resource);
        boolean subscribed = false;
        try {
            ObjectNode result = passOnResource(request, resource);
            subscribed = true;
            return result;
        } finally {
            if (added && !subscribed) {
                subscriptions.remove(session, resource);
            }
        }
    }

    /** Returns whether an endpoint may have such a list for the user, now or later. */
    public boolean hasList(EndpointScope scope, Rights rights, ListKind list) {
        return switch (scope) {
            case EndpointScope.Namespace _ -> true;
            case EndpointScope.Server(ResourceKey server) ->
                    list == ListKind.TOOLS
                            || lists.offers(server, list.capability())
                                    && Visibility.connects(server, rights);
        };
    }

    /**
     * Subscribes to a resource at its server; returns false when the server does not support that.
     */
    public boolean follow(Owned resource) throws InterruptedException {
        CallOutcome outcome =
                caller.call(
                        resource.server(),
                        "resources/subscribe",
                        Json.MAPPER.createObjectNode().put("uri", resource.name()),
                        ProgressListener.NONE);
        return outcome instanceof CallOutcome.Completed;
    }

    /**
     * Unsubscribes a session. The server sees one client for all sessions, so its subscription
     * lasts while other sessions need it.
     */
    ObjectNode unsubscribe(ClientRequest request) throws InterruptedException {
        Owned resource = FeatureNames.ownerOfUri(request.scope(), request.requiredText("uri"));
        subscriptions.remove(request.requiredSession(), resource);
        usable(request, resource, request.requiredText("uri"));
        if (subscriptions.isWanted(resource)) {
            return Json.MAPPER.createObjectNode();
        }
        ObjectNode result = passOnResource(request, resource);
        if (subscriptions.isWanted(resource)) {
            // another session has subscribed, and the server may have processed that first
            follow(resource);
        }
        return result;
    }

    private ObjectNode passOnResource(ClientRequest request, Owned resource)
            throws InterruptedException {
        ObjectNode params = params(request).put("uri", resource.name());
        return pass(request, resource.server(), params, CallingClient.NONE);
    }

    /**
     * Sets the log level of a session. An older server has one level for all clients, which is sent
     * at its own endpoint; a newer server receives the level with each request.
     */
    ObjectNode setLogLevel(ClientRequest request, CallingClient agent) throws InterruptedException {
        LogLevel level = ClientRequest.logLevel("level", request.params().path("level"));
        ObjectNode result =
                request.scope() instanceof EndpointScope.Server(ResourceKey server)
                                && Visibility.connects(server, request.rights())
                                && lists.hasSessions(server)
                        ? pass(request, server, params(request), agent)
                        : Json.MAPPER.createObjectNode();
        logLevels.set(request.requiredSession(), level);
        return result;
    }

    private ObjectNode pass(
            ClientRequest request, ResourceKey server, ObjectNode params, CallingClient agent)
            throws InterruptedException {
        Rights rights = request.rights();
        if (!lists.hasServer(server)) {
            freshness.await();
        }
        CallOutcome outcome =
                RevocableWork.run(
                        rights,
                        () -> Visibility.connects(server, rights),
                        () -> ProtocolError.unknown(subject(request)),
                        () -> makeRounds(request, server, params, agent));
        return callResults.answer(request, server, request.method(), outcome);
    }

    private static String subject(ClientRequest request) {
        JsonNode params = request.params();
        return params.path("name").asString(params.path("uri").asString(request.method()));
    }

    private CallOutcome makeRounds(
            ClientRequest request, ResourceKey server, ObjectNode params, CallingClient agent)
            throws InterruptedException {
        return request.era()
                .makeRounds(
                        request,
                        agent.client(),
                        round ->
                                caller.call(
                                        server,
                                        request.method(),
                                        params.deepCopy().setAll(round),
                                        agent.progress(),
                                        agent.client()));
    }

    /** Returns the params for the server, without those between the client and the gateway. */
    private static ObjectNode params(ClientRequest request) {
        ObjectNode params = request.params().deepCopy().without(MultiRoundTrip.MEMBERS);
        if (params.remove(ReservedMeta.MEMBER) instanceof ObjectNode meta) {
            ObjectNode passedOn = ReservedMeta.passedOn(meta);
            if (!passedOn.isEmpty()) {
                params.set(ReservedMeta.MEMBER, passedOn);
            }
        }
        return params;
    }
}
