package dev.orloj.controllers.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orloj.api.Condition;
import dev.orloj.api.Conditions;
import dev.orloj.api.ResourceKey;
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
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.ExecTarget;
import dev.orloj.runtime.container.spec.Posture;
import dev.orloj.runtime.container.spec.SharedContainer;
import dev.orloj.runtime.workload.ExitStatus;
import dev.orloj.runtime.workload.Workload;
import dev.orloj.runtime.workload.WorkloadException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.node.ObjectNode;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;

/** The status of a Sandbox that runs as a Pod. */
@Timeout(30)
class SandboxPodStatusTest {

    private static final ResourceKey KEY = new ResourceKey("default", "box");

    private final ManualClock clock = new ManualClock();
    private final MemoryResourceClient store = new MemoryResourceClient(clock);
    private final List<ResourceKey> enqueued = new CopyOnWriteArrayList<>();
    private final Semaphore node = new Semaphore(0);
    private final SharedContainers shared =
            new ContainerEngine(new EngineSettings("unix:///none", "test"), ContainerListener.NONE)
                    .shared();
    private final SandboxReconciler reconciler =
            new SandboxReconciler(
                    store,
                    key -> store.find(Sandbox.KIND, key),
                    sandbox -> new SandboxResolution.Resolved(target(sandbox)),
                    shared,
                    clock,
                    enqueued::add);

    /** Why the cluster does not start the Pod once a node takes it; empty if it does. */
    private volatile String failure = "";

    SandboxPodStatusTest() {
        shared.startPodsWith(this::start);
        shared.onChange(owner -> enqueued.add(new ResourceKey(owner.namespace(), owner.server())));
    }

    private SharedContainer start(ContainerSpec spec, ContainerListener progress)
            throws InterruptedException {
        progress.scheduled(spec.owner(), "pod-1", "Unschedulable: Insufficient memory");
        node.acquire();
        if (!failure.isEmpty()) {
            throw new WorkloadException(failure);
        }
        return new FakePod();
    }

    private static ExecTarget.SharedPod target(Sandbox sandbox) {
        return new ExecTarget.SharedPod(
                Containers.spec(SandboxReconciler.owner(sandbox), sandbox.spec().image()));
    }

    private Sandbox create(String lifecycle) {
        return store.create(
                Sandbox.KIND,
                ResourceCodec.fromDocument(
                        Sandbox.KIND,
                        (ObjectNode)
                                Json.MAPPER.readTree(
                                        """
                                        {"apiVersion": "orloj.dev/v1", "kind": "Sandbox",
                                         "metadata": {"namespace": "default", "name": "box"},
                                         "spec": {"image": "uv:1", "lifecycle": "%s"}}
                                        """
                                                .formatted(lifecycle))));
    }

    private Sandbox stored() {
        return store.get(Sandbox.KIND, KEY);
    }

    private Condition condition(String type) {
        return Conditions.find(stored().status().conditions(), type).orElseThrow();
    }

    private void reconcileUntil(String reason) {
        await().until(
                        () -> {
                            reconciler.reconcile(KEY);
                            return condition(Sandbox.RUNNING).reason().equals(reason);
                        });
    }

    @Test
    void startOfAServerThatWaitsForANodeOrFailsIsTheReason() throws InterruptedException {
        ExecTarget.SharedPod target = target(create("on_demand"));
        failure = "Image \"uv:1\" could not be pulled by node \"n1\": ErrImagePull: not found";
        Thread server =
                Thread.ofVirtual()
                        .start(
                                () ->
                                        assertThatThrownBy(() -> shared.acquire(target))
                                                .hasMessage(failure));
        await().until(() -> enqueued.contains(KEY));

        reconciler.reconcile(KEY);
        assertThat(condition(Sandbox.RUNNING).reason()).isEqualTo("Unschedulable");
        assertThat(condition(Sandbox.RUNNING).message())
                .isEqualTo("No node takes Pod \"pod-1\": Unschedulable: Insufficient memory");
        assertThat(condition(Sandbox.READY).status()).isEqualTo(Condition.Status.FALSE);

        node.release();
        server.join();
        reconciler.reconcile(KEY);
        assertThat(condition(Sandbox.RUNNING).reason()).isEqualTo("StartFailed");
        assertThat(condition(Sandbox.READY).message()).isEqualTo(failure);

        failure = "";
        node.release();
        SharedContainers.Lease lease = shared.acquire(target);
        reconciler.reconcile(KEY);
        assertThat(condition(Sandbox.RUNNING).status()).isEqualTo(Condition.Status.TRUE);
        assertThat(stored().status().container()).isEqualTo("pod-1");

        lease.close();
        reconciler.reconcile(KEY);
        assertThat(condition(Sandbox.RUNNING).reason()).isEqualTo("Idle");
        assertThat(stored().status().container()).isEmpty();
    }

    @Test
    void podThatIsAlwaysOnSaysWhatItWaitsForAndRunsOnceANodeTakesIt() {
        create("always_on");

        assertThat(reconciler.reconcile(KEY)).isInstanceOf(Result.RequeueAfter.class);
        reconcileUntil("Unschedulable");
        node.release();
        reconcileUntil("Started");

        assertThat(stored().status().container()).isEqualTo("pod-1");
    }

    /** A main program that runs until it is stopped. */
    private static final class FakePod implements SharedContainer, Workload {

        private final CompletableFuture<ExitStatus> exit = new CompletableFuture<>();

        @Override
        public String name() {
            return "pod-1";
        }

        @Override
        public Workload main() {
            return this;
        }

        @Override
        public Optional<Posture> posture() {
            return Optional.empty();
        }

        @Override
        public CompletableFuture<Posture> inspected() {
            return new CompletableFuture<>();
        }

        @Override
        public Workload exec(List<String> command, Map<String, String> env) {
            throw new UnsupportedOperationException();
        }

        @Override
        public OutputStream stdin() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public InputStream stdout() {
            return InputStream.nullInputStream();
        }

        @Override
        public InputStream stderr() {
            return InputStream.nullInputStream();
        }

        @Override
        public Optional<Long> pid() {
            return Optional.empty();
        }

        @Override
        public CompletableFuture<ExitStatus> exit() {
            return exit;
        }

        @Override
        public void stop(Duration grace) {
            exit.complete(ExitStatus.of(0));
        }
    }
}
