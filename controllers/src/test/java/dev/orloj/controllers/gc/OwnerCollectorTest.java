package dev.orloj.controllers.gc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orloj.api.ApiException;
import dev.orloj.api.Backoff;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.OwnerReference;
import dev.orloj.api.Resource;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.ResourceVersion;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.client.ListOptions;
import dev.orloj.api.client.Propagation;
import dev.orloj.api.codec.Json;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.api.testing.MemoryResourceClient;
import dev.orloj.api.v1.Kinds;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.informer.Informers;
import dev.orloj.controllers.workqueue.Workqueue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Tools owned by tools, to stay with one namespaced kind, and by namespaces. */
class OwnerCollectorTest {

    private static final ResourceKey CHILD = new ResourceKey("default", "child");

    private final ManualClock clock = new ManualClock();
    private final MemoryResourceClient store = new MemoryResourceClient(clock);
    private final Informers informers = new Informers(store, List.of(Tool.KIND, Namespace.KIND));
    private final Informer<Tool> tools = informers.of(Tool.KIND);
    private final Workqueue<ResourceKey> queue =
            new Workqueue<>(
                    new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1), 0),
                    clock,
                    new Random(1));
    private final OwnerCollector<Tool> collector =
            new OwnerCollector<>(new OwnerGraph(store, Kinds.SCHEME, informers), tools, queue);

    @AfterEach
    void close() throws InterruptedException {
        tools.close();
    }

    private Tool tool(String namespace, String name, OwnerReference... owners) {
        return store.create(
                Tool.KIND,
                Tool.of(
                        ObjectMeta.of(namespace, name).withOwnerReferences(List.of(owners)),
                        Tool.Spec.of(
                                "git", "x", Json.MAPPER.createObjectNode().put("name", name))));
    }

    private void delete(Tool tool) {
        store.delete(Tool.KIND, tool.key(), DeleteOptions.UNCONDITIONAL);
    }

    private void delete(Tool tool, Propagation propagation) {
        store.delete(Tool.KIND, tool.key(), DeleteOptions.UNCONDITIONAL.with(propagation));
    }

    private boolean isThere(Tool tool) {
        return store.find(Tool.KIND, tool.key()).isPresent();
    }

    private Tool held(Tool tool) {
        return store.update(
                Tool.KIND, tool.withMetadata(tool.metadata().withFinalizer("test.dev/hold")));
    }

    private static OwnerReference notBlocking(Resource owner) {
        OwnerReference controller = by(owner);
        return new OwnerReference(
                controller.apiVersion(),
                controller.kind(),
                controller.name(),
                controller.uid(),
                false,
                false);
    }

    private static OwnerReference by(Resource owner) {
        return OwnerReference.controllerOf(owner);
    }

    private static OwnerReference unknownKind() {
        return new OwnerReference("apps/v1", "Deployment", "web", "some-uid", false, false);
    }

    /** Works off the queue, and what comes of that, until nothing changes any more. */
    private void collect() throws InterruptedException {
        long before;
        do {
            before = store.head().value();
            collectOnce();
        } while (store.head().value() != before);
    }

    private void collectOnce() throws InterruptedException {
        awaitFresh();
        for (var key = queue.poll(); key.isPresent(); key = queue.poll()) {
            collector.reconcile(key.get());
            queue.done(key.get());
            awaitFresh();
        }
    }

    /** Waits for the triggers as well: a cache has a change before the handlers have it. */
    private void awaitFresh() throws InterruptedException {
        ResourceVersion written = store.list(Tool.KIND, ListOptions.everything()).version();
        assertThat(tools.awaitFresh(written, Duration.ofMinutes(1))).isTrue();
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
    void resourceWithoutOwnersIsLeftAlone() throws InterruptedException {
        tool("default", "child");

        tools.start();
        collect();

        assertThat(childIsThere()).isTrue();
    }

    @Test
    void dependentThatWasGivenAnotherOwnerMeanwhileIsSpared() throws InterruptedException {
        Namespace owner = store.create(Namespace.KIND, Namespace.of("team-b"));
        Tool other = tool("default", "other");
        Tool child = tool("default", "child", by(owner));
        tools.start();
        collect();
        tools.close();
        store.delete(Namespace.KIND, owner.key(), DeleteOptions.UNCONDITIONAL);
        store.update(
                Tool.KIND,
                child.withMetadata(child.metadata().withOwnerReferences(List.of(by(other)))));

        assertThatThrownBy(() -> collector.reconcile(CHILD)).isInstanceOf(ApiException.class);

        assertThat(childIsThere()).isTrue();
    }

    @Test
    void ownerInForegroundGoesAfterItsDependentsAndTheirs() throws InterruptedException {
        Tool owner = tool("default", "owner");
        Tool child = tool("default", "child", by(owner));
        Tool grandchild = held(tool("default", "grandchild", by(child)));
        tools.start();
        collect();

        delete(owner, Propagation.FOREGROUND);
        collect();
        assertThat(isThere(owner)).isTrue();
        assertThat(store.get(Tool.KIND, CHILD).metadata().finalizers())
                .containsExactly(Propagation.FOREGROUND_FINALIZER);
        Tool held = store.get(Tool.KIND, grandchild.key());
        store.update(
                Tool.KIND, held.withMetadata(held.metadata().withoutFinalizer("test.dev/hold")));
        collect();

        assertThat(isThere(grandchild)).isFalse();
        assertThat(isThere(child)).isFalse();
        assertThat(isThere(owner)).isFalse();
    }

    @Test
    void ownerInForegroundDoesNotWaitForWhatDoesNotBlock() throws InterruptedException {
        Tool owner = tool("default", "owner");
        Tool child = held(tool("default", "child", notBlocking(owner)));
        tools.start();
        collect();

        delete(owner, Propagation.FOREGROUND);
        collect();

        assertThat(isThere(owner)).isFalse();
        assertThat(store.get(Tool.KIND, child.key()).metadata().isDeleting()).isTrue();
    }

    @Test
    void dependentWithAnotherOwnerIsLetGoByTheOneInForeground() throws InterruptedException {
        Tool owner = tool("default", "owner");
        Tool other = tool("default", "other");
        tool("default", "child", by(owner), notBlocking(other));
        tools.start();
        collect();

        delete(owner, Propagation.FOREGROUND);
        collect();

        assertThat(isThere(owner)).isFalse();
        assertThat(store.get(Tool.KIND, CHILD).metadata().ownerReferences())
                .containsExactly(notBlocking(other));
    }

    @Test
    void orphansForgetTheirOwnerAndStay() throws InterruptedException {
        Tool owner = tool("default", "owner");
        tool("default", "child", by(owner));
        tools.start();
        collect();

        delete(owner, Propagation.ORPHAN);
        collect();

        assertThat(isThere(owner)).isFalse();
        assertThat(store.get(Tool.KIND, CHILD).metadata().ownerReferences()).isEmpty();
    }

    @Test
    void abandonedDeletionInForegroundGoesOnLater() throws InterruptedException {
        Tool owner = tool("default", "owner");
        tool("default", "child", by(owner));
        delete(owner, Propagation.FOREGROUND);

        tools.start();
        collect();

        assertThat(isThere(owner)).isFalse();
        assertThat(childIsThere()).isFalse();
    }
}
