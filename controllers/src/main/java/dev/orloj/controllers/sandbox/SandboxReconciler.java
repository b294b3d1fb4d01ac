package dev.orloj.controllers.sandbox;

import dev.orloj.api.Condition;
import dev.orloj.api.Conditions;
import dev.orloj.api.ResourceKey;
import dev.orloj.api.client.ResourceClient;
import dev.orloj.api.v1.Sandbox;
import dev.orloj.controllers.container.ContainerPostures;
import dev.orloj.controllers.control.Reconciler;
import dev.orloj.controllers.control.Result;
import dev.orloj.runtime.container.SharedContainers;
import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.container.spec.ExecTarget;
import dev.orloj.runtime.container.spec.SharedContainer;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Reconciles one Sandbox with its manifest. Holds the container of an always-on Sandbox. For all
 * others it only observes the container, which the sessions in it start and stop.
 */
public final class SandboxReconciler implements Reconciler {

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    /** A safety interval. Normally the end of the start enqueues the Sandbox. */
    private static final Duration WHILE_STARTING = Duration.ofSeconds(30);

    private static final Duration QUICK = Duration.ofSeconds(1);

    private static final String STARTING = "Starting";
    private static final String STARTED = "Started";
    private static final String IDLE = "Idle";
    private static final String START_FAILED = "StartFailed";
    private static final String UNSCHEDULABLE = "Unschedulable";
    private static final String CRASH_LOOP = "CrashLoop";
    private static final String NOT_ACCEPTED = "NotAccepted";

    private final ResourceClient client;
    private final Function<ResourceKey, Optional<Sandbox>> sandboxes;
    private final Function<Sandbox, SandboxResolution> resolver;
    private final SharedContainers shared;
    private final HeldContainers held;
    private final InstantSource clock;

    /**
     * @param sandboxes finds a Sandbox in the cache
     * @param enqueue receives the Sandboxes to reconcile again
     */
    public SandboxReconciler(
            ResourceClient client,
            Function<ResourceKey, Optional<Sandbox>> sandboxes,
            Function<Sandbox, SandboxResolution> resolver,
            SharedContainers shared,
            InstantSource clock,
            Consumer<ResourceKey> enqueue) {
        this(
                client,
                sandboxes,
                resolver,
                shared,
                target -> acquire(shared, target),
                clock,
                enqueue);
    }

    SandboxReconciler(
            ResourceClient client,
            Function<ResourceKey, Optional<Sandbox>> sandboxes,
            Function<Sandbox, SandboxResolution> resolver,
            SharedContainers shared,
            HeldContainers.Starter starter,
            InstantSource clock,
            Consumer<ResourceKey> enqueue) {
        this.client = client;
        this.sandboxes = sandboxes;
        this.resolver = resolver;
        this.shared = shared;
        this.held = new HeldContainers(starter, clock, enqueue);
        this.clock = clock;
    }

    private static HeldContainers.Started acquire(
            SharedContainers shared, ExecTarget.Managed target) throws InterruptedException {
        SharedContainers.Lease lease = shared.acquire(target);
        return new HeldContainers.Started() {

            @Override
            public boolean hasEnded() {
                return lease.container().main().exit().isDone();
            }

            @Override
            public void close() {
                lease.close();
            }
        };
    }

    @Override
    public Result reconcile(ResourceKey key) {
        Optional<Sandbox> found = sandboxes.apply(key);
        if (found.isEmpty()) {
            held.release(key);
            return Result.DONE;
        }
        Sandbox sandbox = found.get();
        if (sandbox.metadata().isDeleting()) {
            return tearDown(sandbox);
        }
        if (!sandbox.metadata().finalizers().contains(Sandbox.FINALIZER)) {
            sandbox =
                    client.update(
                            Sandbox.KIND,
                            sandbox.withMetadata(
                                    sandbox.metadata().withFinalizer(Sandbox.FINALIZER)));
        }
        return switch (resolver.apply(sandbox)) {
            case SandboxResolution.Refused(String reason, String message) -> {
                held.release(key);
                write(sandbox, refused(reason, message));
                yield Result.DONE;
            }
            case SandboxResolution.Resolved(ExecTarget.Managed target) -> keep(sandbox, target);
        };
    }

    /**
     * Releases the container and removes the finalizer. The McpServer controller retires the
     * servers in the Sandbox, because the Sandbox they refer to is being deleted.
     */
    private Result tearDown(Sandbox sandbox) {
        held.release(sandbox.key());
        if (!held.isGone(sandbox.key()) || shared.find(owner(sandbox)).isPresent()) {
            return Result.requeueAfter(LOOK_AGAIN);
        }
        if (sandbox.metadata().finalizers().contains(Sandbox.FINALIZER)) {
            client.update(
                    Sandbox.KIND,
                    sandbox.withMetadata(sandbox.metadata().withoutFinalizer(Sandbox.FINALIZER)));
        }
        return Result.DONE;
    }

    private Result keep(Sandbox sandbox, ExecTarget.Managed target) {
        if (!sandbox.spec().staysOn()) {
            held.release(sandbox.key());
            write(sandbox, observed(sandbox, target));
            return Result.DONE;
        }
        return switch (held.hold(sandbox.key(), target)) {
            case HeldContainers.State.Running() -> {
                write(sandbox, observed(sandbox, target));
                yield Result.DONE;
            }
            case HeldContainers.State.Starting(Instant since) -> awaitStart(sandbox, target, since);
            case HeldContainers.State.Ended(Duration left) -> {
                write(sandbox, notRunning(CRASH_LOOP, "The container keeps ending by itself"));
                yield Result.requeueAfter(left);
            }
            case HeldContainers.State.Failed(String cause, Duration left) -> {
                write(sandbox, notRunning(START_FAILED, cause));
                yield Result.requeueAfter(left);
            }
        };
    }

    /**
     * Waits for the end of the start, which enqueues the Sandbox. Writes no status for a quick
     * start.
     */
    private Result awaitStart(Sandbox sandbox, ExecTarget.Managed target, Instant since) {
        Optional<SharedContainers.Obstacle> obstacle =
                shared.obstacle(target).filter(SharedContainers.Obstacle::isWaiting);
        if (obstacle.isPresent()) {
            write(sandbox, notRunning(UNSCHEDULABLE, obstacle.get().message()));
            return Result.requeueAfter(WHILE_STARTING);
        }
        Duration left = Duration.between(clock.instant(), since.plus(QUICK));
        if (left.isPositive()) {
            return Result.requeueAfter(left);
        }
        if (!isKnownToFail(sandbox) && shared.find(owner(sandbox)).isEmpty()) {
            write(sandbox, notRunning(STARTING, "The container is being started since " + since));
        }
        return Result.requeueAfter(WHILE_STARTING);
    }

    private static boolean isKnownToFail(Sandbox sandbox) {
        return Conditions.find(sandbox.status().conditions(), Sandbox.RUNNING)
                .filter(running -> running.observedGeneration() == sandbox.metadata().generation())
                .map(Condition::reason)
                .filter(reason -> reason.equals(START_FAILED) || reason.equals(CRASH_LOOP))
                .isPresent();
    }

    /** Returns the owner of the container, which determines its name and labels. */
    public static ContainerOwner owner(Sandbox sandbox) {
        return new ContainerOwner(
                sandbox.metadata().namespace(),
                sandbox.metadata().name(),
                sandbox.metadata().uid());
    }

    private List<Condition> observed(Sandbox sandbox, ExecTarget.Managed target) {
        boolean running = shared.find(owner(sandbox)).isPresent();
        Optional<SharedContainers.Obstacle> obstacle = shared.obstacle(target);
        if (!running && obstacle.isPresent()) {
            return notRunning(
                    obstacle.get().isWaiting() ? UNSCHEDULABLE : START_FAILED,
                    obstacle.get().message());
        }
        return List.of(
                accepted(),
                running
                        ? Condition.isTrue(Sandbox.RUNNING, STARTED, "The container runs")
                        : Condition.isFalse(
                                Sandbox.RUNNING,
                                IDLE,
                                "No McpServer uses it; the first that does starts it"),
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
        Optional<SharedContainer> running = shared.find(owner(sandbox));
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
                        running.map(SharedContainer::name).orElse(""),
                        running.flatMap(SharedContainer::posture)
                                .map(ContainerPostures::of)
                                .orElse(null));
        if (!after.equals(sandbox.status())) {
            client.updateStatus(Sandbox.KIND, sandbox.withStatus(after));
        }
    }
}
