package dev.orloj.server.mcp.catalog;

import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.runtime.call.CallOutcome;
import dev.orloj.runtime.call.ServerCaller;
import dev.orloj.runtime.catalog.ServerEntry;
import dev.orloj.runtime.catalog.ToolCatalog;
import dev.orloj.runtime.client.ServerIdentity;
import dev.orloj.runtime.gateway.GatewayPath;
import dev.orloj.runtime.session.definition.ServerDefinition;
import dev.orloj.server.authorization.Rights;
import dev.orloj.server.mcp.protocol.EndpointScope;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Lists prompts, resources and templates. For one server the request goes to that server. For a
 * namespace it goes to all servers that offer such lists, in parallel and only where no list is
 * cached. A server that fails or does not respond does not affect the others. Thread-safe.
 */
public final class FeatureLists {

    /** The list of a namespace leaves out a server that has not responded by then. */
    static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** Stops a server that never ends its pages. */
    private static final int MAX_PAGES = 100;

    private final ToolCatalog catalog;
    private final ServerCaller caller;
    private final FeatureCache cache;

    public FeatureLists(ToolCatalog catalog, ServerCaller caller, FeatureCache cache) {
        this.catalog = catalog;
        this.caller = caller;
        this.cache = cache;
    }

    /**
     * All items of a namespace that the user may use, sorted by server name, in the order of each
     * server.
     */
    public ObjectNode ofNamespace(EndpointScope.Namespace scope, Rights rights, FeatureList list)
            throws InterruptedException {
        ObjectNode result = Json.MAPPER.createObjectNode();
        ArrayNode items = result.putArray(list.items());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        try {
            List<Callable<List<ObjectNode>>> questions = new ArrayList<>();
            for (ServerEntry entry : catalog.serversOfNamespace(scope.namespace())) {
                ResourceKey server = entry.definition().server();
                if (scope.covers(server) && Visibility.connects(server, rights)) {
                    questions.add(
                            GatewayPath.carried(() -> itemsOf(scope, entry.definition(), list)));
                }
            }
            for (Future<List<ObjectNode>> answer :
                    threads.invokeAll(questions, TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                if (answer.state() == Future.State.SUCCESS) {
                    items.addAll(answer.resultNow());
                }
            }
        } finally {
            threads.shutdownNow();
        }
        return result;
    }

    private List<ObjectNode> itemsOf(EndpointScope scope, ServerDefinition server, FeatureList list)
            throws InterruptedException {
        if (!offers(server.server(), list.capability())) {
            return List.of();
        }
        Optional<List<ObjectNode>> known = cache.find(server.server(), server.key(), list);
        List<ObjectNode> items = known.isPresent() ? known.get() : ask(server, list);
        return caller.served(server.server(), list.method(), items).stream()
                .map(item -> DefinitionRepair.feature((ObjectNode) item, list.key()))
                .map(item -> FeatureNames.item(scope, server.server(), list, item))
                .toList();
    }

    /** Whether a server can be called, or is known not to be callable. */
    public boolean hasServer(ResourceKey server) {
        return catalog.hasServer(server);
    }

    /** Whether a server offers such lists, as far as is known. */
    public boolean offers(ResourceKey server, String capability) {
        return catalog.findIdentity(server)
                .filter(identity -> identity.capabilities().has(capability))
                .isPresent();
    }

    /** Whether a server remembers what its session agreed on, as far as is known. */
    public boolean hasSessions(ResourceKey server) {
        return catalog.findIdentity(server).map(ServerIdentity::hasSessions).orElse(true);
    }

    private List<ObjectNode> ask(ServerDefinition server, FeatureList list)
            throws InterruptedException {
        FeatureCache.Question question = cache.begin(server.server(), server.key(), list);
        List<ObjectNode> items = new ArrayList<>();
        Set<String> keys = new HashSet<>();
        Set<String> cursors = new HashSet<>();
        ObjectNode params = Json.MAPPER.createObjectNode();
        for (int page = 0; page < MAX_PAGES; page++) {
            CallOutcome outcome = caller.list(server.server(), list.method(), params);
            if (!(outcome instanceof CallOutcome.Completed(JsonNode result))) {
                return items; // the list contains the other servers
            }
            for (JsonNode item : result.path(list.items())) {
                JsonNode key = item.path(list.key());
                if (item instanceof ObjectNode object
                        && key.isString()
                        && keys.add(key.asString())) {
                    items.add(object);
                }
            }
            JsonNode cursor = result.path("nextCursor");
            if (!cursor.isString() || !cursors.add(cursor.asString())) {
                cache.keep(question, items);
                return items;
            }
            params = Json.MAPPER.createObjectNode();
            params.set("cursor", cursor);
        }
        return items;
    }
}
