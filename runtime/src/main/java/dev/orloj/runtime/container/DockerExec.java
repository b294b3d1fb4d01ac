package dev.orloj.runtime.container;

import com.github.dockerjava.api.command.InspectExecResponse;
import com.github.dockerjava.api.exception.DockerException;

import dev.orloj.runtime.container.engine.EngineConnection;
import dev.orloj.runtime.workload.ContainerRef;
import dev.orloj.runtime.workload.ExitStatus;
import dev.orloj.runtime.workload.ShutdownBudget;
import dev.orloj.runtime.workload.StopOnce;
import dev.orloj.runtime.workload.Workload;
import dev.orloj.runtime.workload.WorkloadException;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/**
 * A program that runs in a container in addition to the main program. It ends with its stdin. If it
 * does not end within the grace, it is killed together with all processes that have its mark in
 * their environment. The container keeps running.
 */
final class DockerExec implements Workload {

    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(2);

    private final String id;
    private final ContainerRef container;
    private final ExecKiller killer;
    private final EngineConnection engine;
    private final ContainerStreams streams;
    private final ShutdownBudget shutdownBudget;
    private final CompletableFuture<ExitStatus> exit = new CompletableFuture<>();
    private final StopOnce stop = new StopOnce();

    /**
     * @param id the id that the engine assigned
     * @param container the container that the program runs in
     * @param streams the streams that are attached to the program
     */
    DockerExec(
            String id,
            ContainerRef container,
            ExecKiller killer,
            EngineConnection engine,
            ContainerStreams streams,
            ShutdownBudget shutdownBudget) {
        this.id = id;
        this.container = container;
        this.killer = killer;
        this.engine = engine;
        this.streams = streams;
        this.shutdownBudget = shutdownBudget;
        streams.ended().thenRun(() -> Thread.ofVirtual().name("orloj-exec-end").start(this::end));
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

    @Override
    public Optional<Long> pid() {
        return Optional.empty();
    }

    @Override
    public Optional<ContainerRef> container() {
        return Optional.of(container);
    }

    @Override
    public CompletableFuture<ExitStatus> exit() {
        return exit.copy();
    }

    /**
     * Handles the end of the output, which means the end of the program unless stop closed the
     * output.
     */
    private void end() {
        if (!stop.hasBegun()) {
            awaitEnd(KILL_TIMEOUT);
            exit.complete(status());
        }
    }

    @Override
    public void stop(Duration grace) {
        stop.run(
                "orloj-stop-exec",
                () -> {
                    try {
                        stopInPhases(grace);
                    } finally {
                        exit.complete(status());
                    }
                });
    }

    private void stopInPhases(Duration grace) {
        streams.close();
        boolean ended = awaitEnd(grace);
        killer.kill(); // with the processes that the program left behind
        if (!ended) {
            awaitEnd(KILL_TIMEOUT);
        }
    }

    /** Polls for the end: after the connection is closed, the engine does not report the end. */
    private boolean awaitEnd(Duration grace) {
        long start = System.nanoTime();
        while (isRunning()) {
            if (!shutdownBudget.isLeft(grace, start)) {
                return false;
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
        return true;
    }

    private boolean isRunning() {
        try {
            return Boolean.TRUE.equals(inspect().isRunning());
        } catch (DockerException | WorkloadException e) {
            return false; // The program is gone with its container or with the engine.
        }
    }

    private ExitStatus status() {
        try {
            Long code = inspect().getExitCodeLong();
            return code == null ? ExitStatus.UNKNOWN : ExitStatus.of(code.intValue());
        } catch (DockerException | WorkloadException e) {
            return ExitStatus.UNKNOWN;
        }
    }

    private InspectExecResponse inspect() {
        return engine.call(
                "inspect a program in a container", client -> client.inspectExecCmd(id).exec());
    }
}
