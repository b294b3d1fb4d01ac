package dev.orloj.controllers.gc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.orloj.api.ApiException;
import dev.orloj.api.Backoff;
import dev.orloj.api.ErrorReason;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.OwnerReference;
import dev.orloj.api.Resource;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.Propagation;
import dev.orloj.api.codec.Json;
import dev.orloj.api.testing.FaultyClient;
import dev.orloj.api.testing.FaultyClient.Verb;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.api.testing.MemoryResourceClient;
import dev.orloj.api.v1.Kinds;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.informer.Informers;
import dev.orloj.controllers.mcpserver.Manifests;
import dev.orloj.controllers.workqueue.Workqueue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/** Tools that the caches do not have yet, or the store, when their server is deleted. */
class LateDependentsTest {

    private static final ResourceKey SERVER = new ResourceKey("default", "git");
    private static final ResourceKey TOOL = new ResourceKey("default", "git--log");

    private final ManualClock clock = new ManualClock();
    private final MemoryResourceClient store = new MemoryResourceClient(clock);
    private final FaultyClient client = new FaultyClient(store);
    private final Informers informers = new Informers(client, List.of(McpServer.KIND, Tool.KIND));
    private final Informer<McpServer> servers = informers.of(McpServer.KIND);

    /** Starts when a test wants its cache to catch up with the store. */
    private final Informer<Tool> tools = informers.of(Tool.KIND);

    @AfterEach
    void close() throws InterruptedException {
        servers.close();
        tools.close();
    }

    private OwnerCollector<McpServer> collector(Duration maxWait) {
        OwnerGraph graph = new OwnerGraph(client, Kinds.SCHEME, informers, maxWait);
        collector(graph, tools);
        return collector(graph, servers);
    }

    private <R extends Resource> OwnerCollector<R> collector(
            OwnerGraph graph, Informer<R> informer) {
        Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1), 0);
        return new OwnerCollector<>(
                graph, informer, new Workqueue<>(backoff, clock, new Random(1)));
    }

    @BeforeEach
    void createServerAndTool() {
        store.create(
                McpServer.KIND,
                Manifests.server(SERVER.namespace(), SERVER.name(), "\"transport\": \"stdio\""));
        createTool(TOOL);
    }

    private void createTool(ResourceKey key) {
        OwnerReference owner = OwnerReference.controllerOf(store.get(McpServer.KIND, SERVER));
        store.create(
                Tool.KIND,
                Tool.of(
                        ObjectMeta.of(key.namespace(), key.name())
                                .withOwnerReferences(List.of(owner)),
                        Tool.Spec.of("git", "log", Json.MAPPER.createObjectNode())));
    }

    /** Gives the server the finalizer of the controller of its kind. */
    private void holdServer() {
        McpServer server = store.get(McpServer.KIND, SERVER);
        store.update(
                McpServer.KIND,
                server.withMetadata(server.metadata().withFinalizer(McpServer.FINALIZER)));
    }

    /** As that controller does when it has finished. */
    private void releaseServer() throws InterruptedException {
        McpServer server = store.get(McpServer.KIND, SERVER);
        store.update(
                McpServer.KIND,
                server.withMetadata(server.metadata().withoutFinalizer(McpServer.FINALIZER)));
        awaitLast(servers);
    }

    private void startTools() throws InterruptedException {
        tools.start();
        tools.awaitSynced();
    }

    /** Waits for the last write to the store, which was of this kind. */
    private void awaitLast(Informer<?> informer) throws InterruptedException {
        assertThat(informer.awaitFresh(store.head(), Duration.ofMinutes(1))).isTrue();
    }

    /** Starts the cache of Tools as soon as the collector compares it with the store. */
    private void letToolsArriveLate() {
        client.failBefore(
                request -> {
                    if (request.verb() == Verb.NEWEST_CHANGE && request.kind().equals(Tool.KIND)) {
                        client.heal();
                        tools.start();
                    }
                });
    }

    private void delete(Propagation propagation) throws InterruptedException {
        store.delete(McpServer.KIND, SERVER, DeleteOptions.UNCONDITIONAL.with(propagation));
        servers.start();
        servers.awaitSynced();
    }

    private List<OwnerReference> ownersOfTool() {
        return owners(TOOL);
    }

    private List<OwnerReference> owners(ResourceKey tool) {
        return store.get(Tool.KIND, tool).metadata().ownerReferences();
    }

    /** What the collector does not orphan it deletes later, although the user wanted to keep it. */
    @Test
    void dependentThatTheCacheReceivesLateForgetsItsOwnerFirst() throws InterruptedException {
        OwnerCollector<McpServer> collector = collector(Duration.ofMinutes(1));
        letToolsArriveLate();
        delete(Propagation.ORPHAN);

        collector.reconcile(SERVER);

        assertThat(store.find(McpServer.KIND, SERVER)).isEmpty();
        assertThat(ownersOfTool()).isEmpty();
    }

    @Test
    void ownerStaysWhileACacheIsBehindTheStore() throws InterruptedException {
        OwnerCollector<McpServer> collector = collector(Duration.ZERO);
        delete(Propagation.ORPHAN);

        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> collector.reconcile(SERVER))
                .withMessageContaining("tools")
                .satisfies(e -> assertThat(e.reason()).isEqualTo(ErrorReason.TIMEOUT));

        assertThat(store.get(McpServer.KIND, SERVER).metadata().finalizers())
                .containsExactly(Propagation.ORPHAN_FINALIZER);
        assertThat(ownersOfTool()).hasSize(1);
    }

    @Test
    void ownerThatStayedGoesWhenTheCacheHasCaughtUp() throws InterruptedException {
        OwnerCollector<McpServer> collector = collector(Duration.ZERO);
        delete(Propagation.ORPHAN);
        assertThatExceptionOfType(ApiException.class).isThrownBy(() -> collector.reconcile(SERVER));
        tools.start();
        tools.awaitSynced();

        collector.reconcile(SERVER);

        assertThat(store.find(McpServer.KIND, SERVER)).isEmpty();
        assertThat(ownersOfTool()).isEmpty();
    }

    /** A reconcile in progress may still create Tools. */
    @Test
    void dependentThatTheControllerOfTheOwnerCreatesLateForgetsItsOwner()
            throws InterruptedException {
        ResourceKey late = new ResourceKey("default", "git--late");
        OwnerCollector<McpServer> collector = collector(Duration.ofMinutes(1));
        holdServer();
        startTools();
        delete(Propagation.ORPHAN);

        collector.reconcile(SERVER);
        createTool(late);
        releaseServer();
        collector.reconcile(SERVER);

        assertThat(store.find(McpServer.KIND, SERVER)).isEmpty();
        assertThat(ownersOfTool()).isEmpty();
        assertThat(owners(late)).isEmpty();
    }

    @Test
    void ownerInForegroundWaitsForADependentThatTheCacheReceivesLate() throws InterruptedException {
        OwnerCollector<McpServer> collector = collector(Duration.ofMinutes(1));
        letToolsArriveLate();
        delete(Propagation.FOREGROUND);

        collector.reconcile(SERVER);

        assertThat(store.get(McpServer.KIND, SERVER).metadata().finalizers())
                .containsExactly(Propagation.FOREGROUND_FINALIZER);
    }

    @Test
    void ownerInForegroundStaysWhileACacheIsBehindTheStore() throws InterruptedException {
        OwnerCollector<McpServer> collector = collector(Duration.ZERO);
        delete(Propagation.FOREGROUND);

        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> collector.reconcile(SERVER))
                .withMessageContaining("the deletion of default/git goes on later");

        assertThat(store.find(McpServer.KIND, SERVER)).isPresent();
    }

    /** A server that leaves needs its login Secret: it revokes the tokens. */
    @Test
    void dependentsOfAnOwnerInForegroundStayUntilItsControllerHasFinished()
            throws InterruptedException {
        OwnerGraph graph = new OwnerGraph(client, Kinds.SCHEME, informers);
        OwnerCollector<Tool> collectorOfTools = collector(graph, tools);
        OwnerCollector<McpServer> collector = collector(graph, servers);
        holdServer();
        startTools();
        delete(Propagation.FOREGROUND);

        collector.reconcile(SERVER);
        collectorOfTools.reconcile(TOOL);
        assertThat(store.find(Tool.KIND, TOOL)).isPresent();
        releaseServer();
        collector.reconcile(SERVER);
        assertThat(store.find(McpServer.KIND, SERVER)).isPresent();
        collectorOfTools.reconcile(TOOL);
        awaitLast(tools);
        collector.reconcile(SERVER);

        assertThat(store.find(Tool.KIND, TOOL)).isEmpty();
        assertThat(store.find(McpServer.KIND, SERVER)).isEmpty();
    }

    /** Only an owner that is about to go pays for the certainty. */
    @Test
    void ownerThatWaitsForADependentDoesNotReadTheNewestChange() throws InterruptedException {
        OwnerCollector<McpServer> collector = collector(Duration.ofMinutes(1));
        AtomicInteger reads = new AtomicInteger();
        client.failBefore(
                request -> {
                    if (request.verb() == Verb.NEWEST_CHANGE) {
                        reads.incrementAndGet();
                    }
                });
        startTools();
        delete(Propagation.FOREGROUND);

        collector.reconcile(SERVER);

        assertThat(store.find(McpServer.KIND, SERVER)).isPresent();
        assertThat(reads).hasValue(0);
    }
}
