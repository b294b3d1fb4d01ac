package dev.orloj.runtime.container;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.runtime.container.spec.ContainerGoneException;
import dev.orloj.runtime.container.spec.ContainerListener;
import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.ExecTarget;
import dev.orloj.runtime.container.spec.SharedContainer;
import dev.orloj.runtime.workload.LogBuffer;
import dev.orloj.runtime.workload.LogPump;
import dev.orloj.runtime.workload.Workload;
import dev.orloj.runtime.workload.WorkloadException;

import org.jspecify.annotations.Nullable;

import java.io.InputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Manages containers and Pods that several users share: one per target, started for the first user
 * and stopped after the last. Thread-safe.
 */
public final class SharedContainers {

    private static final Duration STOP_GRACE = Duration.ofSeconds(2);

    /** Starts a container. */
    @FunctionalInterface
    public interface Starter {

        /**
         * @param progress receives events of the start until it ends
         * @throws WorkloadException when the container cannot be started
         */
        SharedContainer start(ContainerSpec spec, ContainerListener progress)
                throws InterruptedException;
    }

    /**
     * Why a container that was requested does not run.
     *
     * @param isWaiting whether its start is in progress; otherwise its latest start failed
     */
    public record Obstacle(ExecTarget.Managed target, boolean isWaiting, String message) {}

    private final Starter containers;
    private final InstantSource clock;
    private final Map<ContainerOwner, LogBuffer> logs = new ConcurrentHashMap<>();
    private final ConcurrentMap<ContainerOwner, Obstacle> obstacles = new ConcurrentHashMap<>();
    private final List<Consumer<ContainerOwner>> listeners = new CopyOnWriteArrayList<>();

    private volatile Starter pods =
            (spec, progress) -> {
                throw new WorkloadException("this orlojd runs no Pods");
            };

    @GuardedBy("this")
    private final Map<ExecTarget.Managed, Shared> shared = new HashMap<>();

    /**
     * @param containers starts containers of Docker or Podman
     */
    SharedContainers(Starter containers, InstantSource clock) {
        this.containers = containers;
        this.clock = clock;
    }

    /** Sets what starts Pods. Called before the first target is used. */
    public void startPodsWith(Starter starter) {
        pods = starter;
    }

    /** The use of a container by one user, until it is closed. */
    public final class Lease implements AutoCloseable {

        private final Shared shared;
        private final SharedContainer container;
        private final AtomicBoolean open = new AtomicBoolean(true);

        private Lease(Shared shared, SharedContainer container) {
            this.shared = shared;
            this.container = container;
        }

        public SharedContainer container() {
            return container;
        }

        /** Stops the container if this was its last user. Idempotent. */
        @Override
        public void close() {
            if (open.compareAndSet(true, false)) {
                release(shared);
            }
        }
    }

    private static final class Shared {

        private final ExecTarget.Managed target;
        private final ReentrantLock lock = new ReentrantLock();
        private volatile @Nullable SharedContainer container;

        /** Guarded by the monitor of the outer object. */
        private int users;

        Shared(ExecTarget.Managed target) {
            this.target = target;
        }

        ContainerOwner owner() {
            return target.container().owner();
        }

        @Nullable SharedContainer running() {
            SharedContainer known = container;
            return known == null || known.main().exit().isDone() ? null : known;
        }
    }

    /** Follows one start. Ignores what is reported after its end. */
    private final class Progress implements ContainerListener {

        private final ExecTarget.Managed target;

        @GuardedBy("this")
        private boolean ended = false;

        Progress(ExecTarget.Managed target) {
            this.target = target;
        }

        @Override
        public synchronized void scheduled(ContainerOwner owner, String pod, String why) {
            if (!ended) {
                String message = "No node takes Pod \"%s\": %s".formatted(pod, why);
                note(owner, why.isEmpty() ? null : new Obstacle(target, true, message));
            }
        }

        /**
         * @param failure null if the container runs, or its user no longer waits for it
         */
        synchronized void end(@Nullable String failure) {
            ended = true;
            note(
                    target.container().owner(),
                    failure == null ? null : new Obstacle(target, false, failure));
        }
    }

    /**
     * Registers a listener that is called with the owner when one of its containers starts or ends,
     * or when the obstacle to its start changes.
     */
    public void onChange(Consumer<ContainerOwner> listener) {
        listeners.add(listener);
    }

    /**
     * Acquires a lease of the container, which runs when this method returns.
     *
     * @throws WorkloadException when the container cannot be started
     */
    public Lease acquire(ExecTarget.Managed target) throws InterruptedException {
        Shared entry;
        synchronized (this) {
            entry = shared.computeIfAbsent(target, Shared::new);
            entry.users++;
        }
        boolean acquired = false;
        try {
            Lease lease = new Lease(entry, running(entry));
            acquired = true;
            return lease;
        } finally {
            if (!acquired) {
                release(entry);
            }
        }
    }

    /**
     * Runs a program in the container, which has it as a user until the program ends.
     *
     * @throws WorkloadException when the container or the program cannot be started
     */
    Workload exec(ExecTarget.Managed target, List<String> command, Map<String, String> env)
            throws InterruptedException {
        Lease lease = acquire(target);
        boolean started = false;
        try {
            Workload program = lease.container().exec(command, env);
            // On another thread than the one that reports the end, because stopping the container
            // may take time.
            program.exit().thenRunAsync(lease::close, SharedContainers::onVirtualThread);
            started = true;
            return program;
        } catch (ContainerGoneException e) {
            // The container is managed by orlojd, so the next attempt starts another one.
            throw new WorkloadException(
                    "The container of the sandbox ended before command \"%s\" was run"
                            .formatted(command.getFirst()),
                    e);
        } finally {
            if (!started) {
                lease.close();
            }
        }
    }

    private static void onVirtualThread(Runnable work) {
        Thread.ofVirtual().name("orloj-release").start(work);
    }

    /** Returns the running container of an owner, if there is one. */
    public synchronized Optional<SharedContainer> find(ContainerOwner owner) {
        return shared.values().stream()
                .filter(entry -> entry.owner().equals(owner))
                .flatMap(entry -> Optional.ofNullable(entry.running()).stream())
                .findFirst();
    }

    /** Returns why the container of a target does not run; empty if nothing is known. */
    public Optional<Obstacle> obstacle(ExecTarget.Managed target) {
        return Optional.ofNullable(obstacles.get(target.container().owner()))
                .filter(obstacle -> obstacle.target().equals(target));
    }

    /** Returns the log of the main programs of an owner's containers. It starts empty. */
    public LogBuffer log(ContainerOwner owner) {
        return logs.computeIfAbsent(owner, key -> new LogBuffer(clock));
    }

    /** Removes the log of a deleted owner. */
    public void forget(ContainerOwner owner) {
        logs.remove(owner);
        obstacles.remove(owner);
    }

    private SharedContainer running(Shared entry) throws InterruptedException {
        entry.lock.lockInterruptibly();
        try {
            SharedContainer known = entry.running();
            if (known == null) {
                known = start(entry.target);
                entry.container = known;
                ContainerOwner owner = entry.owner();
                LogBuffer log = log(owner);
                log.startRun();
                pump(known.main().stdout(), log);
                pump(known.main().stderr(), log);
                known.main().exit().thenRun(() -> notifyOwner(owner));
                known.inspected().thenRun(() -> notifyOwner(owner));
                notifyOwner(owner);
            }
            return known;
        } finally {
            entry.lock.unlock();
        }
    }

    private SharedContainer start(ExecTarget.Managed target) throws InterruptedException {
        Starter starter =
                switch (target) {
                    case ExecTarget.Shared _ -> containers;
                    case ExecTarget.SharedPod _ -> pods;
                };
        Progress progress = new Progress(target);
        String failure = null;
        try {
            return starter.start(target.container(), progress);
        } catch (WorkloadException e) {
            failure = String.valueOf(e.getMessage());
            throw e;
        } finally {
            progress.end(failure);
        }
    }

    /** Copies both outputs of the main program to its log, because it sends no messages. */
    private static void pump(InputStream output, LogBuffer log) {
        Thread.ofPlatform()
                .daemon()
                .name("orloj-sandbox-log")
                .start(new LogPump(output, log::append));
    }

    private void release(Shared entry) {
        synchronized (this) {
            entry.users--;
            if (entry.users > 0) {
                return;
            }
            shared.remove(entry.target, entry);
        }
        entry.lock.lock();
        try {
            SharedContainer last = entry.running();
            if (last != null) {
                last.main().stop(STOP_GRACE);
            }
        } finally {
            entry.lock.unlock();
        }
    }

    private void note(ContainerOwner owner, @Nullable Obstacle obstacle) {
        Obstacle before =
                obstacle == null ? obstacles.remove(owner) : obstacles.put(owner, obstacle);
        if (obstacle == null ? before != null : !obstacle.equals(before)) {
            notifyOwner(owner);
        }
    }

    private void notifyOwner(ContainerOwner owner) {
        listeners.forEach(listener -> listener.accept(owner));
    }
}
