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
 * A child process of orlojd on this host, with everything that it starts in turn. Made by {@link
 * Supervisor}.
 */
public final class HostProcess implements Workload {

    /** How long the kernel may take to tear down what was killed. */
    static final Duration KILL_TIMEOUT = Duration.ofSeconds(5);

    private static final int START_CHECKS = 400;
    private static final Duration START_CHECK_PERIOD = Duration.ofMillis(5);

    private final Process process;
    private final Confinement.Kind confinement;
    private final ProcessMarker marker;
    private final ShutdownBudget shutdownBudget;
    private final CompletableFuture<ExitStatus> exit;
    private final StopOnce stop = new StopOnce();

    /** In a namespace, once it was found: every call asks, and it means reading all of /proc. */
    private volatile @Nullable ProcessHandle program;

    /**
     * @param marker what is in the environment of the process
     * @param shutdownBudget what shortens the grace of a stop
     */
    HostProcess(
            Process process,
            Confinement.Kind confinement,
            ProcessMarker marker,
            ShutdownBudget shutdownBudget) {
        this.process = process;
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

    /** In a namespace that is not the child of orlojd but the one that its helpers have started. */
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

    private void stopInPhases(Duration grace) {
        List<ProcessHandle> family =
                confinement == Confinement.Kind.NAMESPACE
                        ? List.of()
                        : process.descendants().toList();
        closeStdin();
        if (!endsWithin(grace)) {
            terminate(family);
            if (!endsWithin(grace)) {
                kill(family);
            }
        }
        sweep(family, shutdownBudget.left(grace, System.nanoTime()));
    }

    /**
     * A write that hangs on a full pipe holds the lock of the stream, hence a thread that may hang
     * too.
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
                                // The other end is gone, which is what closing was for.
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

    /** Just after its start the process does not lead its group yet. */
    private static void terminateGroup(ProcessHandle leader) {
        if (!Signal.TERM.sendToGroup(leader.pid())) {
            Signal.TERM.sendToProcess(leader.pid());
        }
    }

    private void kill(List<ProcessHandle> family) {
        switch (confinement) {
            case NAMESPACE -> {
                // The helper outlives the namespace: its end means that the kernel has emptied it.
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
     * A helper killed in the moment between making init and tying it to itself would leave it
     * behind, so a process that is stopped while it starts is given the time to get there.
     */
    private Optional<ProcessHandle> awaitInit() {
        Optional<ProcessHandle> init = init();
        for (int i = 0; i < START_CHECKS && init.isEmpty() && !ends(START_CHECK_PERIOD); i++) {
            init = init();
        }
        return init;
    }

    /**
     * What stays behind when the first process has ended: nothing in a namespace, else whoever
     * ignored it.
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

    /** Init's first child; later ones may be orphans that it was given. */
    private Optional<ProcessHandle> program() {
        ProcessHandle known = program;
        if (known == null) {
            known = init().flatMap(HostProcess::onlyChild).orElse(null);
            program = known;
        }
        return Optional.ofNullable(known);
    }

    /** The process that is init in the namespace, as this host sees it. */
    private Optional<ProcessHandle> init() {
        return onlyChild(process.toHandle());
    }

    private static Optional<ProcessHandle> onlyChild(ProcessHandle parent) {
        return parent.children().findFirst();
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
