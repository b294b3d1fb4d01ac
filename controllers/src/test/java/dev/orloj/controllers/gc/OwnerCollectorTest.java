package dev.orloj.controllers.gc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.ApiException;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.OwnerReference;
import dev.orloj.api.Resource;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.codec.Json;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.api.testing.MemoryResourceClient;
import dev.orloj.api.v1.Kinds;
import dev.orloj.api.v1.Namespace;
import dev.orloj.api.v1.Tool;
import dev.orloj.api.v1.ToolDefinition;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.workqueue.Backoff;
import dev.orloj.controllers.workqueue.Workqueue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Tools owned by tools, to stay with one namespaced kind, and by namespaces. */
class OwnerCollectorTest {

    private static final ResourceKey CHILD = new ResourceKey("default", "child");

    private final ManualClock clock = new ManualClock();
    private final MemoryResourceClient store = new MemoryResourceClient(clock);
    private final Informer<Tool> tools = new Informer<>(store, Tool.KIND);
    private final Workqueue<ResourceKey> queue =
            new Workqueue<>(
                    new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1), 0),
                    clock,
                    new Random(1));
    private final OwnerCollector<Tool> collector = new OwnerCollector<>(store, Kinds.SCHEME, tools);

    @BeforeEach
    void watch() {
        collector.watchDependents(queue);
        collector.watchOwners(tools, queue);
    }

    @AfterEach
    void close() throws InterruptedException {
        tools.close();
    }

    private Tool tool(String namespace, String name, OwnerReference... owners) {
        return store.create(
                Tool.KIND,
                Tool.of(
                        ObjectMeta.of(namespace, name).withOwnerReferences(List.of(owners)),
                        ToolDefinition.toSpec(
                                "git", "x", Json.MAPPER.createObjectNode().put("name", name))));
    }

    private void delete(Tool tool) {
        store.delete(Tool.KIND, tool.key(), DeleteOptions.UNCONDITIONAL);
    }

    private static OwnerReference by(Resource owner) {
        return OwnerReference.controllerOf(owner);
    }

    private static OwnerReference unknownKind() {
        return new OwnerReference("apps/v1", "Deployment", "web", "some-uid", false, false);
    }

    /** Works off the queue once the informer has seen everything. */
    private void collect() throws InterruptedException {
        await().until(
                        () ->
                                tools.hasSynced()
                                        && tools.cache()
                                                .list()
                                                .equals(
                                                        store.list(
                                                                        Tool.KIND,
                                                                        ListOptions.everything())
                                                                .items()));
        for (var key = queue.poll(); key.isPresent(); key = queue.poll()) {
            collector.reconcile(key.get());
            queue.done(key.get());
        }
    }

    private boolean childIsThere() {
        return store.find(Tool.KIND, CHILD).isPresent();
    }

    @Test
    void dependentGoesWithItsOwner() throws InterruptedException {
        Tool owner = tool("default", "owner");
        tool("default", "child", by(owner));
        tools.start();
        collect();
        assertThat(childIsThere()).isTrue();

        delete(owner);
        collect();

        assertThat(childIsThere()).isFalse();
    }

    @Test
    void dependentStaysWhileOneOwnerIsLeft() throws InterruptedException {
        Tool first = tool("default", "first");
        Tool second = tool("default", "second");
        tool("default", "child", by(first), by(second));
        tools.start();

        delete(first);
        collect();
        assertThat(childIsThere()).isTrue();
        delete(second);
        collect();

        assertThat(childIsThere()).isFalse();
    }

    @Test
    void ownerThatWasGoneBeforeAnybodyWatchedIsNoticed() throws InterruptedException {
        Tool owner = tool("default", "owner");
        tool("default", "child", by(owner));
        delete(owner);

        tools.start();
        collect();

        assertThat(childIsThere()).isFalse();
    }

    @Test
    void namesakeWithAnotherUidIsNotTheOwner() throws InterruptedException {
        Tool owner = tool("default", "owner");
        tool("default", "child", by(owner));
        delete(owner);
        tool("default", "owner");

        tools.start();
        collect();

        assertThat(childIsThere()).isFalse();
    }

    @Test
    void ownerInAnotherNamespaceDoesNotCount() throws InterruptedException {
        tool("default", "child", by(tool("team-b", "owner")));

        tools.start();
        collect();

        assertThat(childIsThere()).isFalse();
    }

    @Test
    void clusterScopedOwnerIsFoundWithoutANamespace() throws InterruptedException {
        tool("default", "child", by(store.create(Namespace.KIND, Namespace.of("team-b"))));

        tools.start();
        collect();

        assertThat(childIsThere()).isTrue();
    }

    @Test
    void ownerOfAnUnknownKindCountsAsAlive() throws InterruptedException {
        tool("default", "child", unknownKind());

        tools.start();
        collect();

        assertThat(childIsThere()).isTrue();
    }

    @Test
    void resourceWithoutOwnersIsNobodysBusiness() throws InterruptedException {
        tool("default", "child");

        tools.start();
        collect();

        assertThat(childIsThere()).isTrue();
    }

    @Test
    void dependentThatWasGivenAnotherOwnerMeanwhileIsSpared() throws InterruptedException {
        Tool owner = tool("default", "owner");
        Tool other = tool("default", "other");
        Tool child = tool("default", "child", by(owner));
        tools.start();
        collect();
        tools.close();
        delete(owner);
        store.update(
                Tool.KIND,
                child.withMetadata(child.metadata().withOwnerReferences(List.of(by(other)))));

        assertThatThrownBy(() -> collector.reconcile(CHILD)).isInstanceOf(ApiException.class);

        assertThat(childIsThere()).isTrue();
    }
}
