package dev.orloj.controllers.mcpserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.Backoff;
import dev.orloj.api.Resource;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.Propagation;
import dev.orloj.api.testing.FaultyClient.Verb;
import dev.orloj.api.v1.Kinds;
import dev.orloj.api.v1.McpServer;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.gc.OwnerCollector;
import dev.orloj.controllers.gc.OwnerGraph;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.informer.Informers;
import dev.orloj.controllers.workqueue.Workqueue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Random;

/** A deletion that orphans, by the reconciler of servers and the collector together. */
class OrphanedServerTest extends GitServerScenario {

    private final Informers informers =
            new Informers(harness.store, List.of(McpServer.KIND, Tool.KIND));
    private final Informer<McpServer> servers = informers.of(McpServer.KIND);
    private final OwnerGraph graph = new OwnerGraph(harness.store, Kinds.SCHEME, informers);
    private final OwnerCollector<McpServer> collector = collector(servers);

    @BeforeEach
    void startCollector() throws InterruptedException {
        collector(informers.of(Tool.KIND));
        for (Informer<?> informer : informers.all()) {
            informer.start();
            informer.awaitSynced();
        }
    }

    @AfterEach
    void stopCollector() throws InterruptedException {
        for (Informer<?> informer : informers.all()) {
            informer.close();
        }
    }

    private <R extends Resource> OwnerCollector<R> collector(Informer<R> informer) {
        Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1), 0);
        return new OwnerCollector<>(
                graph, informer, new Workqueue<>(backoff, harness.clock, new Random(1)));
    }

    private void collect() {
        try {
            ResourceVersion written = harness.store.newestChange(McpServer.KIND);
            assertThat(servers.awaitFresh(written, Duration.ofMinutes(1))).isTrue();
            collector.reconcile(KEY);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void deleteOrphaning() {
        harness.store.delete(
                McpServer.KIND, KEY, DeleteOptions.UNCONDITIONAL.with(Propagation.ORPHAN));
    }

    private void assertToolIsOrphaned() {
        assertThat(harness.store.find(McpServer.KIND, KEY)).isEmpty();
        assertThat(harness.toolNames()).containsExactly("git--log");
        assertThat(harness.all(Tool.KIND).getFirst().metadata().ownerReferences()).isEmpty();
    }

    /** The collector has looked for dependents when a reconcile in progress commits its Tools. */
    @Test
    void toolsThatAReconcileInProgressCreatesStay() {
        script.offer("log");
        harness.client.failBefore(
                request -> {
                    if (request.verb() == Verb.WRITE_ALL && request.kind().equals(Tool.KIND)) {
                        harness.client.heal();
                        deleteOrphaning();
                        collect();
                    }
                });
        harness.apply(Manifests.server("default", "git", STDIO));

        harness.reconcileUntilSteady(KEY);
        collect();

        assertToolIsOrphaned();
    }

    /** What the deletion is about is in the store only. */
    @Test
    void toolsStayWhenOrlojdStartsAgainDuringTheDeletion() throws InterruptedException {
        script.offer("log");
        applyAndSettle(STDIO);
        deleteOrphaning();
        collect();
        harness.restart();

        harness.reconcileUntilSteady(KEY);
        collect();

        assertToolIsOrphaned();
    }
}
