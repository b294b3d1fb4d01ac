package dev.orloj.controllers.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.Condition;
import dev.orloj.api.Conditions;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.DeleteOptions;
import dev.orloj.api.codec.Json;
import dev.orloj.api.codec.ResourceCodec;
import dev.orloj.api.testing.ManualClock;
import dev.orloj.api.testing.MemoryResourceClient;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.controllers.control.Result;
import dev.orloj.runtime.container.ContainerEngine;
import dev.orloj.runtime.container.SharedContainers;
import dev.orloj.runtime.container.engine.EngineSettings;
import dev.orloj.runtime.container.spec.ContainerListener;
import dev.orloj.runtime.workload.WorkloadException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;

/** A Sandbox that is always on, and an engine that takes requests and never answers. */
@Timeout(30)
class SandboxReconcilerTest {

    private static final ResourceKey KEY = new ResourceKey("default", "box");

    private final ManualClock clock = new ManualClock();
    private final MemoryResourceClient store = new MemoryResourceClient(clock);
    private final List<ResourceKey> enqueued = new CopyOnWriteArrayList<>();
    private final ServerSocketChannel engine;
    private final SharedContainers shared;
    private final SandboxReconciler reconciler;

    SandboxReconcilerTest(@TempDir Path folder) throws IOException {
        Path socket = folder.resolve("engine.sock");
        engine = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        engine.bind(UnixDomainSocketAddress.of(socket));
        shared =
                new ContainerEngine(
                                new EngineSettings("unix://" + socket, "test"),
                                ContainerListener.NONE)
                        .shared();
        reconciler =
                new SandboxReconciler(
                        store,
                        key -> store.find(Sandbox.KIND, key),
                        SandboxReconcilerTest::resolve,
                        shared,
                        clock,
                        enqueued::add);
        store.create(
                Sandbox.KIND,
                ResourceCodec.fromDocument(
                        Sandbox.KIND,
                        (ObjectNode)
                                Json.MAPPER.readTree(
                                        """
                                        {"apiVersion": "orloj.dev/v1", "kind": "Sandbox",
                                         "metadata": {"namespace": "default", "name": "box"},
                                         "spec": {"image": "uv:1", "lifecycle": "always_on"}}
                                        """)));
    }

    private static SandboxResolution resolve(Sandbox sandbox) {
        return new SandboxResolution.Resolved(Containers.target("uv:1"));
    }

    /** A thread that waits for the engine sees it end. */
    @AfterEach
    void closeEngine() throws IOException {
        engine.close();
    }

    private Condition running() {
        return Conditions.find(store.get(Sandbox.KIND, KEY).status().conditions(), Sandbox.RUNNING)
                .orElseThrow();
    }

    @Test
    void startTakesNoWorker() {
        assertThat(reconciler.reconcile(KEY)).isInstanceOf(Result.RequeueAfter.class);

        clock.advance(Duration.ofSeconds(2));
        reconciler.reconcile(KEY);

        assertThat(running().reason()).isEqualTo("Starting");
        assertThat(running().status()).isEqualTo(Condition.Status.FALSE);
    }

    @Test
    void startThatFailsIsReportedAndTriedAgainAfterAWait() throws IOException {
        reconciler.reconcile(KEY);

        engine.close();
        await().until(() -> enqueued.contains(KEY));
        Result result = reconciler.reconcile(KEY);

        assertThat(result).isEqualTo(Result.requeueAfter(Duration.ofSeconds(1)));
        assertThat(running().reason()).isEqualTo("StartFailed");
    }

    @Test
    void deletedSandboxStaysUntilItsStartIsOver() {
        Semaphore over = new Semaphore(0);
        SandboxReconciler slow =
                new SandboxReconciler(
                        store,
                        key -> store.find(Sandbox.KIND, key),
                        SandboxReconcilerTest::resolve,
                        shared,
                        spec -> {
                            over.acquireUninterruptibly();
                            throw new WorkloadException("the engine refuses");
                        },
                        clock,
                        enqueued::add);
        slow.reconcile(KEY);
        store.delete(Sandbox.KIND, KEY, DeleteOptions.UNCONDITIONAL);

        slow.reconcile(KEY);
        assertThat(store.find(Sandbox.KIND, KEY)).isPresent();

        over.release();
        await().until(
                        () -> {
                            slow.reconcile(KEY);
                            return store.find(Sandbox.KIND, KEY).isEmpty();
                        });
        await().until(() -> enqueued.contains(KEY));
    }
}
