package dev.orloj.controllers.sandbox;

import dev.orloj.api.Condition;
import dev.orloj.api.Conditions;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.controllers.container.ContainerPostures;
import dev.orloj.controllers.control.Reconciler;
import dev.orloj.controllers.control.Result;
import dev.orloj.controllers.control.RetryException;
import dev.orloj.runtime.container.DockerContainer;
import dev.orloj.runtime.container.SharedContainers;
import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.workload.WorkloadException;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Brings one Sandbox to where its manifest wants it. The container of one that is always on is held
 * here; all others are started and stopped by the sessions that use them, and only looked at.
 */
public final class SandboxReconciler implements Reconciler {

    /** Holds a deleted Sandbox until its container at the replica that leads is gone. */
    static final String FINALIZER = "orloj.dev/container";

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);
    private static final String STARTED = "Started";
    private static final String IDLE = "Idle";
    private static final String START_FAILED = "StartFailed";
    private static final String CRASH_LOOP = "CrashLoop";
    private static final String NOT_ACCEPTED = "NotAccepted";

    private final ResourceClient client;
    private final Function<ResourceKey, Optional<Sandbox>> sandboxes;
    private final Function<Sandbox, SandboxResolution> resolver;
    private final SharedContainers shared;
    private final HeldContainers held;
    private final InstantSource clock;

    /**
     * @param sandboxes finds one in the cache
     */
    public SandboxReconciler(
            ResourceClient client,
            Function<ResourceKey, Optional<Sandbox>> sandboxes,
            Function<Sandbox, SandboxResolution> resolver,
            SharedContainers shared,
            InstantSource clock) {
        this.client = client;
        this.sandboxes = sandboxes;
        this.resolver = resolver;
        this.shared = shared;
        this.held = new HeldContainers(shared, clock);
        this.clock = clock;
    }

    @Override
    public Result reconcile(ResourceKey key) throws InterruptedException {
        Optional<Sandbox> found = sandboxes.apply(key);
        if (found.isEmpty()) {
            held.release(key);
            return Result.DONE;
        }
        Sandbox sandbox = found.get();
        if (sandbox.metadata().isDeleting()) {
            return tearDown(sandbox);
        }
        if (!sandbox.metadata().finalizers().contains(FINALIZER)) {
            sandbox =
                    client.update(
                            Sandbox.KIND,
                            sandbox.withMetadata(sandbox.metadata().withFinalizer(FINALIZER)));
        }
        return switch (resolver.apply(sandbox)) {
            case SandboxResolution.Refused(String reason, String message) -> {
                held.release(key);
                write(sandbox, refused(reason, message));
                yield Result.DONE;
            }
            case SandboxResolution.Resolved(ContainerSpec container) -> keep(sandbox, container);
        };
    }

    /** Its users are retired by their own controller, since what they refer to is leaving. */
    private Result tearDown(Sandbox sandbox) {
        held.release(sandbox.key());
        if (shared.find(owner(sandbox)).isPresent()) {
            return Result.requeueAfter(LOOK_AGAIN);
        }
        if (sandbox.metadata().finalizers().contains(FINALIZER)) {
            client.update(
                    Sandbox.KIND,
                    sandbox.withMetadata(sandbox.metadata().withoutFinalizer(FINALIZER)));
        }
        return Result.DONE;
    }

    private Result keep(Sandbox sandbox, ContainerSpec container) throws InterruptedException {
        if (!sandbox.spec().staysOn()) {
            held.release(sandbox.key());
            write(sandbox, observed(sandbox));
            return Result.DONE;
        }
        try {
            Optional<Duration> wait = held.hold(sandbox.key(), container);
            if (wait.isPresent()) {
                write(sandbox, notRunning(CRASH_LOOP, "The container keeps ending by itself"));
                return Result.requeueAfter(wait.get());
            }
            write(sandbox, observed(sandbox));
            return Result.DONE;
        } catch (WorkloadException e) {
            write(sandbox, notRunning(START_FAILED, String.valueOf(e.getMessage())));
            throw new RetryException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Of whom the container is, which makes its name and its labels. */
    public static ContainerOwner owner(Sandbox sandbox) {
        return new ContainerOwner(
                sandbox.metadata().namespace(),
                sandbox.metadata().name(),
                sandbox.metadata().uid());
    }

    private List<Condition> observed(Sandbox sandbox) {
        boolean running = shared.find(owner(sandbox)).isPresent();
        return List.of(
                accepted(),
                running
                        ? Condition.isTrue(Sandbox.RUNNING, STARTED, "The container runs")
                        : Condition.isFalse(
                                Sandbox.RUNNING, IDLE, "Nobody uses it; its first user starts it"),
                Condition.isTrue(
                        Sandbox.READY, running ? STARTED : IDLE, "Programs can be run in it"));
    }

    private static List<Condition> notRunning(String reason, String message) {
        return List.of(
                accepted(),
                Condition.isFalse(Sandbox.RUNNING, reason, message),
                Condition.isFalse(Sandbox.READY, reason, message));
    }

    private static List<Condition> refused(String reason, String message) {
        return List.of(
                Condition.isFalse(Sandbox.ACCEPTED, reason, message),
                Condition.isFalse(
                        Sandbox.RUNNING,
                        NOT_ACCEPTED,
                        "No container is started until the manifest can be acted on"),
                Condition.isFalse(Sandbox.READY, reason, message));
    }

    private static Condition accepted() {
        return Condition.isTrue(Sandbox.ACCEPTED, Sandbox.ACCEPTED, "The manifest can be acted on");
    }

    private void write(Sandbox sandbox, List<Condition> observed) {
        long generation = sandbox.metadata().generation();
        Optional<DockerContainer> running = shared.find(owner(sandbox));
        Sandbox.Status after =
                new Sandbox.Status(
                        generation,
                        Conditions.advise(
                                Conditions.merge(
                                        sandbox.status().conditions(),
                                        observed,
                                        generation,
                                        clock.instant()),
                                Sandbox.DISCOURAGED,
                                Sandbox.DESCRIPTOR.advice(sandbox),
                                generation,
                                clock.instant()),
                        running.map(DockerContainer::name).orElse(""),
                        running.flatMap(DockerContainer::posture)
                                .map(ContainerPostures::of)
                                .orElse(null));
        if (!after.equals(sandbox.status())) {
            client.updateStatus(Sandbox.KIND, sandbox.withStatus(after));
        }
    }
}
