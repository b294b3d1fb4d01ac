package dev.orloj.server.testing;

import dev.orloj.api.ApiException;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.ResourceCodec;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.testing.FaultyClient;
import dev.orloj.api.testing.FaultyClient.Verb;
import dev.orloj.api.testing.MemoryResourceClient;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.CatalogFreshness;
import dev.orloj.controllers.informer.EventHandler;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.informer.Informers;

import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The informers that feed a catalog, and a store of their own, which a test holds ahead of them.
 * Thread-safe.
 */
public final class HeldInformers implements AutoCloseable {

    private static final Runnable NOTHING = () -> {};

    private final MemoryResourceClient store = new MemoryResourceClient(InstantSource.system());
    private final FaultyClient client = new FaultyClient(store);
    private final Informers informers =
            new Informers(client, List.of(Tool.KIND, McpServer.KIND, Namespace.KIND));
    private final CatalogFreshness freshness = new CatalogFreshness(client, informers);
    private final AtomicInteger reads = new AtomicInteger();
    private volatile Runnable onRead = NOTHING;
    private volatile boolean held;

    /**
     * @param tool puts a Tool into the catalog
     * @param server puts a server into the catalog
     * @param namespaces that are there from the beginning
     */
    public HeldInformers(Consumer<Tool> tool, Consumer<McpServer> server, Set<String> namespaces) {
        informers.of(Tool.KIND).addHandler(EventHandler.of(tool));
        informers.of(McpServer.KIND).addHandler(EventHandler.of(server));
        namespaces.forEach(this::createNamespace);
        client.failBefore(this::answer);
        informers.all().forEach(Informer::start);
        try {
            for (Informer<?> each : informers.all()) {
                each.awaitSynced();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public CatalogFreshness freshness() {
        return freshness;
    }

    /** How often the store was asked for its newest change, or for a resource. */
    public int reads() {
        return reads.get();
    }

    /** Sets what happens when the store is asked for its newest change. */
    public void onRead(Runnable action) {
        onRead = action;
    }

    /** From now on the informers receive nothing, until one waits for them. */
    public void hold() {
        held = true;
        store.cutWatches();
        onRead = () -> held = false;
    }

    private void answer(FaultyClient.Request request) {
        if (request.verb() == Verb.NEWEST_CHANGE && request.kind().equals(Tool.KIND)) {
            reads.incrementAndGet();
            onRead.run();
        } else if (request.verb() == Verb.FIND) {
            reads.incrementAndGet();
        } else if (held && (request.verb() == Verb.WATCH || request.verb() == Verb.LIST)) {
            throw new ApiException(ErrorReason.SERVICE_UNAVAILABLE, "the informers are held");
        }
    }

    /** Stores a tool of a server, under the names that it gets by default. */
    public void createTool(ResourceKey server, String name) {
        store.create(
                Tool.KIND,
                ResourceCodec.fromDocument(
                        Tool.KIND,
                        document(
                                """
                                {"apiVersion": "orloj.dev/v1", "kind": "Tool",
                                 "metadata": {"namespace": "%1$s", "name": "%2$s--%3$s"},
                                 "spec": {"type": "mcp", "mcp_server_ref": "%2$s", "mcp_tool_name": "%3$s",
                                          "agent_name": "%2$s__%3$s"}}
                                """
                                        .formatted(server.namespace(), server.name(), name))));
    }

    public void createServer(ResourceKey server) {
        store.create(
                McpServer.KIND,
                ResourceCodec.fromDocument(
                        McpServer.KIND,
                        document(
                                """
                                {"apiVersion": "orloj.dev/v1", "kind": "McpServer",
                                 "metadata": {"namespace": "%s", "name": "%s"},
                                 "spec": {"transport": "stdio", "command": "true"}}
                                """
                                        .formatted(server.namespace(), server.name()))));
    }

    public void createNamespace(String name) {
        store.create(Namespace.KIND, Namespace.of(name));
    }

    private static ObjectNode document(String text) {
        return (ObjectNode) Json.MAPPER.readTree(text);
    }

    @Override
    public void close() {
        try {
            for (Informer<?> each : informers.all()) {
                each.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
