package dev.orloj.runtime.workload;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A child process of orlojd on this host, with all its descendants. Created by {@link Supervisor}.
 */
public final class HostProcess implements Workload {

    /** How long the kernel may take to clean up killed processes. */
    static final Duration KILL_TIMEOUT = Duration.ofSeconds(5);

    private static final int START_CHECKS = 400;
    private static final Duration START_CHECK_PERIOD = Duration.ofMillis(5);

    private final Process process;
    private final Confinement.Kind confinement;
    private final ProcessMarker marker;
    private final ShutdownBudget shutdownBudget;
    private final CompletableFuture<ExitStatus> exit;
    private final StopOnce stop = new StopOnce();

    private final ChildProcesses children;
    private volatile Optional<Boolean> obeyedEof = Optional.empty();

    /** The init process of a namespace, once it is known. */
    private volatile @Nullable ProcessHandle init;

    /** The program in a namespace, once it is known. */
    private volatile @Nullable ProcessHandle program;

    /**
     * @param marker the marker in the environment of the process
     * @param shutdownBudget limits the grace of a stop
     */
    HostProcess(
            Process process,
            Confinement.Kind confinement,
            ProcessMarker marker,
            ShutdownBudget shutdownBudget) {
        this(process, confinement, marker, shutdownBudget, ChildProcesses.OF_THIS_HOST);
    }

    HostProcess(
            Process process,
            Confinement.Kind confinement,
            ProcessMarker marker,
            ShutdownBudget shutdownBudget,
            ChildProcesses children) {
        this.process = process;
        this.children = children;
        this.confinement = confinement;
        this.marker = marker;
        this.shutdownBudget = shutdownBudget;
        this.exit = process.onExit().thenApply(ended -> ExitStatus.of(ended.exitValue()));
    }

    @Override
    public OutputStream stdin() {
        return process.getOutputStream();
    }

    @Override
    public InputStream stdout() {
        return process.getInputStream();
    }

    @Override
    public InputStream stderr() {
        return process.getErrorStream();
    }

    /**
     * Returns the pid of the program. In a namespace, that is not orlojd's child but a process that
     * its helpers have started.
     */
    @Override
    public Optional<Long> pid() {
        if (!process.isAlive()) {
            return Optional.empty();
        }
        return switch (confinement) {
            case NAMESPACE -> program().map(ProcessHandle::pid);
            case GROUP, PLAIN -> Optional.of(process.pid());
        };
    }

    @Override
    public CompletableFuture<ExitStatus> exit() {
        return exit.copy();
    }

    @Override
    public void stop(Duration grace) {
        stop.run("orloj-stop-" + process.pid(), () -> stopInPhases(grace));
    }

    @Override
    public Optional<Boolean> obeyedEof() {
        return obeyedEof;
    }

    private void stopInPhases(Duration grace) {
        List<ProcessHandle> family =
                confinement == Confinement.Kind.NAMESPACE
                        ? List.of()
                        : process.descendants().toList();
        boolean observed = !exit.isDone() && grace.isPositive();
        closeStdin();
        boolean obeyed = endsWithin(grace);
        obeyedEof = observed ? Optional.of(obeyed) : Optional.empty();
        if (!obeyed) {
            terminate(family);
            if (!endsWithin(grace)) {
                kill(family);
            }
        }
        sweep(family, shutdownBudget.left(grace, System.nanoTime()));
    }

    /**
     * Closes stdin on a separate thread, because a write that blocks on a full pipe holds the lock
     * of the stream.
     */
    private void closeStdin() {
        Thread.ofPlatform()
                .daemon()
                .name("orloj-close-stdin-" + process.pid())
                .start(
                        () -> {
                            try {
                                process.getOutputStream().close();
                            } catch (IOException e) {
                                // The other end is closed already, which is the goal.
                            }
                        });
    }

    private void terminate(List<ProcessHandle> family) {
        switch (confinement) {
            case NAMESPACE -> init().ifPresent(HostProcess::terminateGroup);
            case GROUP -> Signal.TERM.sendToGroup(process.pid());
            case PLAIN -> {
                process.destroy();
                family.forEach(ProcessHandle::destroy);
            }
        }
    }

    /**
     * Sends SIGTERM to the group. Immediately after its start, the process does not lead its group
     * yet.
     */
    private static void terminateGroup(ProcessHandle leader) {
        if (!Signal.TERM.sendToGroup(leader.pid())) {
            Signal.TERM.sendToProcess(leader.pid());
        }
    }

    private void kill(List<ProcessHandle> family) {
        switch (confinement) {
            case NAMESPACE -> {
                // The helper outlives the namespace: when it ends, the kernel has removed all
                // processes.
                awaitInit().ifPresent(init -> Signal.KILL.sendToProcess(init.pid()));
                if (!ends(KILL_TIMEOUT)) {
                    process.destroyForcibly();
                }
            }
            case GROUP -> {
                Signal.KILL.sendToGroup(process.pid());
                process.destroyForcibly();
            }
            case PLAIN -> process.destroyForcibly();
        }
        family.forEach(ProcessHandle::destroyForcibly);
        ends(KILL_TIMEOUT);
    }

    /**
     * Waits for the init of the namespace. If the helper is killed after it started init and before
     * it tied init to itself, init survives; so a process that is stopped during its start may
     * first complete it.
     */
    private Optional<ProcessHandle> awaitInit() {
        Optional<ProcessHandle> init = init();
        for (int i = 0; i < START_CHECKS && init.isEmpty() && !ends(START_CHECK_PERIOD); i++) {
            init = init();
        }
        return init;
    }

    /**
     * Stops the processes that remain after the first one has ended: none in a namespace, otherwise
     * those that ignored the end.
     */
    private void sweep(List<ProcessHandle> family, Duration grace) {
        switch (confinement) {
            case NAMESPACE -> {}
            case GROUP -> {
                if (Signal.TERM.sendToGroup(process.pid())) {
                    awaitEnd(family, grace);
                    Signal.KILL.sendToGroup(process.pid());
                }
                family.forEach(ProcessHandle::destroyForcibly);
                awaitEnd(family, KILL_TIMEOUT);
                MarkedProcesses.stop(marker::equals, grace);
            }
            case PLAIN -> {
                family.forEach(ProcessHandle::destroy);
                awaitEnd(family, grace);
                family.forEach(ProcessHandle::destroyForcibly);
                awaitEnd(family, KILL_TIMEOUT);
                MarkedProcesses.stop(marker::equals, grace);
            }
        }
    }

    /** Returns init's first child; later children may be adopted orphans. */
    private Optional<ProcessHandle> program() {
        ProcessHandle known = program;
        if (known == null) {
            known = init().flatMap(children::firstOf).orElse(null);
            program = known;
        }
        return Optional.ofNullable(known);
    }

    /**
     * Returns the init process of the namespace, as seen from this host; empty before its start and
     * after its end, when its pid may belong to another process.
     */
    private Optional<ProcessHandle> init() {
        ProcessHandle known = init;
        if (known == null) {
            known = children.firstOf(process.toHandle()).orElse(null);
            init = known;
        }
        return Optional.ofNullable(known).filter(ProcessHandle::isAlive);
    }

    private boolean endsWithin(Duration grace) {
        return shutdownBudget.awaits(exit, grace);
    }

    private boolean ends(Duration timeout) {
        return ShutdownBudget.completes(exit, timeout);
    }

    private static void awaitEnd(List<ProcessHandle> family, Duration timeout) {
        ShutdownBudget.completes(
                CompletableFuture.allOf(
                        family.stream()
                                .map(ProcessHandle::onExit)
                                .toArray(CompletableFuture[]::new)),
                timeout);
    }
}
