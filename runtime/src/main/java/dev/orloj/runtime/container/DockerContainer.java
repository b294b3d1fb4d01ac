package dev.orloj.runtime.container;

import dev.orloj.runtime.container.engine.ContainerEvents;
import dev.orloj.runtime.container.engine.EngineCommands;
import dev.orloj.runtime.container.spec.Posture;
import dev.orloj.runtime.workload.ContainerRef;
import dev.orloj.runtime.workload.ExitStatus;
import dev.orloj.runtime.workload.ShutdownBudget;
import dev.orloj.runtime.workload.StopOnce;
import dev.orloj.runtime.workload.Workload;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A container of the engine, attached to its main program. Created by {@link ContainerEngine}; the
 * engine removes it when its program has ended.
 */
public final class DockerContainer implements Workload {

    /** How long the engine may take to remove a killed container. */
    private static final Duration REMOVAL_TIMEOUT = Duration.ofSeconds(10);

    private final String id;
    private final String name;
    private final ContainerRecipe recipe;
    private final ContainerStreams streams;
    private final ContainerEvents watch;
    private final EngineCommands engine;
    private final ShutdownBudget shutdownBudget;
    private final StopOnce stop = new StopOnce();
    private final CompletableFuture<Posture> posture = new CompletableFuture<>();
    private volatile Optional<Long> pid = Optional.empty();
    private volatile Optional<Boolean> obeyedEof = Optional.empty();

    DockerContainer(
            String id,
            String name,
            ContainerRecipe recipe,
            ContainerStreams streams,
            ContainerEvents watch,
            EngineCommands engine,
            ShutdownBudget shutdownBudget) {
        this.id = id;
        this.name = name;
        this.recipe = recipe;
        this.streams = streams;
        this.watch = watch;
        this.engine = engine;
        this.shutdownBudget = shutdownBudget;
    }

    /** Returns the id at the engine, 64 hexadecimal digits. */
    public String id() {
        return id;
    }

    /** Returns the readable name. */
    public String name() {
        return name;
    }

    @Override
    public Optional<ContainerRef> container() {
        return Optional.of(new ContainerRef(id, name, recipe.image().id()));
    }

    @Override
    public OutputStream stdin() {
        return streams.stdin();
    }

    @Override
    public InputStream stdout() {
        return streams.stdout();
    }

    @Override
    public InputStream stderr() {
        return streams.stderr();
    }

    /** Returns the input from which the container was created. */
    ContainerRecipe recipe() {
        return recipe;
    }

    /**
     * Returns the pid of the container's init process, the ancestor of all its other processes.
     * Empty at first, and when the engine runs on another host.
     */
    @Override
    public Optional<Long> pid() {
        return exit().isDone() ? Optional.empty() : pid;
    }

    boolean isStopping() {
        return stop.hasBegun();
    }

    /** Returns the isolation of the container, once the engine has reported it. */
    public Optional<Posture> posture() {
        return Optional.ofNullable(posture.getNow(null));
    }

    /** Completes when {@link #posture} is known, which may be never. */
    CompletableFuture<Posture> looked() {
        return posture;
    }

    void foundAt(long hostPid) {
        pid = Optional.of(hostPid);
    }

    @Override
    public CompletableFuture<ExitStatus> exit() {
        return watch.ended();
    }

    /** Completes when the container is removed, shortly after {@link #exit}. */
    public CompletableFuture<Void> removed() {
        return watch.removed();
    }

    /**
     * Stops the container as any workload. The engine does not support half-closed attach
     * connections, so closing stdin also closes the output: later output of the program is lost.
     */
    @Override
    public void stop(Duration grace) {
        stop.run("orloj-stop-" + name, () -> stopInPhases(grace));
    }

    @Override
    public Optional<Boolean> obeyedEof() {
        return obeyedEof;
    }

    private void stopInPhases(Duration grace) {
        boolean observed = !watch.ended().isDone() && grace.isPositive();
        streams.close();
        boolean obeyed = shutdownBudget.awaits(watch.ended(), grace);
        obeyedEof = observed ? Optional.of(obeyed) : Optional.empty();
        if (!obeyed) {
            engine.signal(id, "SIGTERM");
            if (!shutdownBudget.awaits(watch.ended(), grace)) {
                engine.signal(id, "SIGKILL");
            }
        }
        if (!ShutdownBudget.completes(watch.removed(), REMOVAL_TIMEOUT)) {
            engine.remove(id);
        }
    }

    /** {@code container orloj-default-gmail-1}. */
    @Override
    public String toString() {
        return "container " + name;
    }
}
