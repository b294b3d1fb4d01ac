package dev.orloj.controllers.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.Backoff;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.ResourceCodec;
import dev.orloj.api.core.Namespace;
import dev.orloj.api.core.Secret;
import dev.orloj.api.policy.McpServerPolicy;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.api.testing.MemoryResourceClient;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.controllers.informer.Informer;
import dev.orloj.controllers.informer.LastHandler;
import dev.orloj.controllers.secret.MountedSecrets;
import dev.orloj.controllers.secret.SecretLookup;
import dev.orloj.controllers.workqueue.Workqueue;
import dev.orloj.runtime.container.ContainerEngine;
import dev.orloj.runtime.container.engine.EngineSettings;
import dev.orloj.runtime.container.spec.ContainerListener;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** What other clients do to a Sandbox that the reconciler has already written. */
@Timeout(30)
class SandboxTriggersTest {

    private static final ResourceKey KEY = new ResourceKey("default", "box");

    private final ManualClock clock = new ManualClock();
    private final MemoryResourceClient store = new MemoryResourceClient(clock);
    private final Informer<Sandbox> sandboxes = new Informer<>(store, Sandbox.KIND);
    private final Workqueue<ResourceKey> queue =
            new Workqueue<>(
                    new Backoff(Duration.ofMillis(1), Duration.ofMillis(1), 0),
                    clock,
                    new Random(1));
    private final SandboxReconciler reconciler;
    private final LastHandler<Sandbox> handled;

    SandboxTriggersTest() {
        var shared =
                new ContainerEngine(
                                new EngineSettings("unix:///none", "test"), ContainerListener.NONE)
                        .shared();
        reconciler =
                new SandboxReconciler(
                        store,
                        sandboxes.cache()::find,
                        sandbox -> new SandboxResolution.Resolved(Containers.target("uv:1")),
                        shared,
                        clock,
                        queue::add);
        SandboxTriggers.install(
                sandboxes,
                new SecretLookup(
                        new Informer<>(store, Secret.KIND),
                        new Informer<>(store, Namespace.KIND),
                        MountedSecrets.NONE),
                new Informer<>(store, McpServerPolicy.KIND),
                new Informer<>(store, Namespace.KIND),
                shared,
                queue);
        handled = LastHandler.of(sandboxes);
    }

    @BeforeEach
    void settle() {
        store.create(
                Sandbox.KIND,
                ResourceCodec.fromDocument(
                        Sandbox.KIND,
                        (ObjectNode)
                                Json.MAPPER.readTree(
                                        """
                                        {"apiVersion": "orloj.dev/v1", "kind": "Sandbox",
                                         "metadata": {"namespace": "default", "name": "box"},
                                         "spec": {"image": "uv:1"}}
                                        """)));
        sandboxes.start();
        work();
        assertThat(stored().status().conditions()).isNotEmpty();
    }

    @AfterEach
    void stop() throws InterruptedException {
        sandboxes.close();
    }

    private Sandbox stored() {
        return store.get(Sandbox.KIND, KEY);
    }

    /** Reconciles until there is nothing more to do. */
    private void work() {
        awaitTriggers();
        for (Optional<ResourceKey> next = queue.poll(); next.isPresent(); next = queue.poll()) {
            reconciler.reconcile(next.get());
            queue.done(next.get());
            awaitTriggers();
        }
    }

    private void awaitTriggers() {
        await().until(() -> handled.received().equals(List.of(stored())));
    }

    @Test
    void finalizerThatAnotherClientRemovesIsPutBack() {
        Sandbox before = stored();
        assertThat(before.metadata().finalizers()).contains(Sandbox.FINALIZER);

        store.update(
                Sandbox.KIND,
                before.withMetadata(before.metadata().withoutFinalizer(Sandbox.FINALIZER)));
        work();

        assertThat(stored().metadata().finalizers()).contains(Sandbox.FINALIZER);
    }

    @Test
    void statusThatAnotherClientEmptiesIsWrittenAgain() {
        Sandbox before = stored();

        store.updateStatus(Sandbox.KIND, before.withStatus(Sandbox.Status.EMPTY));
        work();

        assertThat(stored().status()).isEqualTo(before.status());
    }
}
