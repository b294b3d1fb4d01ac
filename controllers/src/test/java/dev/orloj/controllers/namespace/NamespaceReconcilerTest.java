package dev.orloj.controllers.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orloj.api.Condition;
import dev.orloj.api.Conditions;
import dev.orloj.api.ObjectMeta;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.codec.Json;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.api.testing.MemoryResourceClient;
import dev.orloj.api.v1.Tool;
import dev.orloj.controllers.control.Result;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;

class NamespaceReconcilerTest {

    private static final ResourceKey KEY = new ResourceKey("", "team-a");

    private final ManualClock clock = new ManualClock();
    private final MemoryResourceClient store = new MemoryResourceClient(clock);
    private final NamespaceReconciler reconciler =
            new NamespaceReconciler(store, List.of(Tool.KIND), clock);

    @BeforeEach
    void createNamespace() {
        Namespace namespace = Namespace.of(KEY.name());
        store.create(
                Namespace.KIND,
                new Namespace(
                        namespace.apiVersion(),
                        namespace.kind(),
                        namespace.metadata(),
                        new Namespace.Spec(List.of(Namespace.CONTENT_FINALIZER)),
                        null));
    }

    private Tool tool(String namespace, String name, String... finalizers) {
        ObjectMeta metadata = ObjectMeta.of(namespace, name);
        for (String finalizer : finalizers) {
            metadata = metadata.withFinalizer(finalizer);
        }
        return store.create(
                Tool.KIND,
                Tool.of(
                        metadata,
                        Tool.Spec.of(
                                "git", "x", Json.MAPPER.createObjectNode().put("name", name))));
    }

    private boolean isThere(Tool tool) {
        return store.find(Tool.KIND, tool.key()).isPresent();
    }

    private void deleteNamespace() {
        store.delete(Namespace.KIND, KEY, DeleteOptions.UNCONDITIONAL);
    }

    @Test
    void namespaceGoesWithItsContent() {
        Tool inside = tool("team-a", "inside");
        Tool outside = tool("team-b", "outside");

        deleteNamespace();
        reconciler.reconcile(KEY);

        assertThat(isThere(inside)).isFalse();
        assertThat(isThere(outside)).isTrue();
        assertThat(store.find(Namespace.KIND, KEY)).isEmpty();
    }

    @Test
    void namespaceThatIsNotDeletedKeepsItsContent() {
        Tool inside = tool("team-a", "inside");

        reconciler.reconcile(KEY);

        assertThat(isThere(inside)).isTrue();
    }

    @Test
    void whatFinalizersHoldIsNamedAndWaitedFor() {
        Tool held = tool("team-a", "held", "example.com/hold");
        deleteNamespace();

        Result waiting = reconciler.reconcile(KEY);
        Namespace terminating = store.get(Namespace.KIND, KEY);
        long version = store.head().value();
        reconciler.reconcile(KEY);
        long again = store.head().value();
        Tool deleted = store.get(Tool.KIND, held.key());
        store.update(
                Tool.KIND,
                deleted.withMetadata(deleted.metadata().withoutFinalizer("example.com/hold")));
        reconciler.reconcile(KEY);

        assertThat(waiting).isInstanceOf(Result.RequeueAfter.class);
        assertThat(terminating.status().phase()).isEqualTo(Namespace.TERMINATING);
        assertThat(condition(terminating, "NamespaceContentRemaining").message())
                .isEqualTo(
                        "Some resources are remaining: tools.orloj.dev has 1 resource instances");
        assertThat(condition(terminating, "NamespaceFinalizersRemaining").message())
                .isEqualTo(
                        "Some content in the namespace has finalizers remaining: example.com/hold"
                                + " in 1 resource instances");
        assertThat(again).as("nothing new is not written").isEqualTo(version);
        assertThat(store.find(Namespace.KIND, KEY)).isEmpty();
    }

    private static Condition condition(Namespace namespace, String type) {
        return Conditions.find(namespace.status().conditions(), type).orElseThrow();
    }

    @Test
    void whatWasCreatedWhileTheNamespaceClosedIsSweptUp() {
        deleteNamespace();
        reconciler.reconcile(KEY);
        Tool late = tool("team-a", "late");

        reconciler.reconcile(KEY);

        assertThat(isThere(late)).isFalse();
    }
}
