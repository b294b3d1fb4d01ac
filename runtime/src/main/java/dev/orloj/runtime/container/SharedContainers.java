package dev.orloj.runtime.container;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.workload.LogBuffer;
import dev.orloj.runtime.workload.LogPump;

import org.jspecify.annotations.Nullable;

import java.io.InputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Manages containers that several users share: one container per specification, started for the
 * first user and stopped after the last. Thread-safe.
 */
public final class SharedContainers {

    private static final Duration STOP_GRACE = Duration.ofSeconds(2);

    /** Starts a container. */
    @FunctionalInterface
    interface Starter {
        DockerContainer start(ContainerSpec spec) throws InterruptedException;
    }

    private final Starter starter;
    private final InstantSource clock;
    private final Map<ContainerOwner, LogBuffer> logs = new ConcurrentHashMap<>();
    private final List<Consumer<ContainerOwner>> listeners = new CopyOnWriteArrayList<>();

    @GuardedBy("this")
    private final Map<ContainerSpec, Shared> shared = new HashMap<>();

    SharedContainers(Starter starter, InstantSource clock) {
        this.starter = starter;
        this.clock = clock;
    }

    /** The use of a container by one user, until it is closed. */
    public final class Lease implements AutoCloseable {

        private final Shared shared;
        private final DockerContainer container;
        private final AtomicBoolean open = new AtomicBoolean(true);

        private Lease(Shared shared, DockerContainer container) {
            this.shared = shared;
            this.container = container;
        }

        public DockerContainer container() {
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

        private final ContainerSpec spec;
        private final ReentrantLock lock = new ReentrantLock();
        private volatile @Nullable DockerContainer container;

        /** Guarded by the monitor of the outer object. */
        private int users;

        Shared(ContainerSpec spec) {
            this.spec = spec;
        }

        @Nullable DockerContainer running() {
            DockerContainer known = container;
            return known == null || known.exit().isDone() ? null : known;
        }
    }

    /**
     * Registers a listener that is called with the owner when one of its containers starts or ends.
     */
    public void onChange(Consumer<ContainerOwner> listener) {
        listeners.add(listener);
    }

    /**
     * Acquires a lease of the container, which runs when this method returns.
     *
     * @throws dev.orloj.runtime.workload.WorkloadException when the container cannot be started
     */
    public Lease acquire(ContainerSpec spec) throws InterruptedException {
        Shared entry;
        synchronized (this) {
            entry = shared.computeIfAbsent(spec, Shared::new);
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

    /** Returns the running container of an owner, if there is one. */
    public synchronized Optional<DockerContainer> find(ContainerOwner owner) {
        return shared.values().stream()
                .filter(entry -> entry.spec.owner().equals(owner))
                .flatMap(entry -> Optional.ofNullable(entry.running()).stream())
                .findFirst();
    }

    /** Returns the log of the main programs of an owner's containers. It starts empty. */
    public LogBuffer log(ContainerOwner owner) {
        return logs.computeIfAbsent(owner, key -> new LogBuffer(clock));
    }

    /** Removes the log of a deleted owner. */
    public void forget(ContainerOwner owner) {
        logs.remove(owner);
    }

    private DockerContainer running(Shared entry) throws InterruptedException {
        entry.lock.lockInterruptibly();
        try {
            DockerContainer known = entry.running();
            if (known == null) {
                known = starter.start(entry.spec);
                entry.container = known;
                ContainerOwner owner = entry.spec.owner();
                LogBuffer log = log(owner);
                log.startRun();
                pump(known.stdout(), log);
                pump(known.stderr(), log);
                known.exit().thenRun(() -> notifyOwner(owner));
                known.looked().thenRun(() -> notifyOwner(owner));
                notifyOwner(owner);
            }
            return known;
        } finally {
            entry.lock.unlock();
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
            shared.remove(entry.spec, entry);
        }
        entry.lock.lock();
        try {
            DockerContainer last = entry.running();
            if (last != null) {
                last.stop(STOP_GRACE);
            }
        } finally {
            entry.lock.unlock();
        }
    }

    private void notifyOwner(ContainerOwner owner) {
        listeners.forEach(listener -> listener.accept(owner));
    }
}
