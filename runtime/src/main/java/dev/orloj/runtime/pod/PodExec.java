package dev.orloj.runtime.pod;

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
 * A program that runs in a Pod in addition to its main program. It ends with its stdin. If it does
 * not end within the grace, it is killed together with all processes that have its marker in their
 * environment. The Pod keeps running. Thread-safe.
 */
final class PodExec implements Workload {

    /** How long the node may take to report the end of a Pod whose programs have ended. */
    private static final Duration REPORT_TIMEOUT = Duration.ofSeconds(3);

    private static final Duration OUTPUT_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(2);

    private final ServerPod pod;
    private final PodStreams streams;
    private final Runnable killer;
    private final ShutdownBudget shutdownBudget;
    private final CompletableFuture<ExitStatus> exit = new CompletableFuture<>();
    private final StopOnce stop = new StopOnce();
    private volatile Optional<Boolean> obeyedEof = Optional.empty();

    /**
     * @param streams connected to the program
     * @param killer kills the program from inside the Pod
     */
    PodExec(ServerPod pod, PodStreams streams, Runnable killer, ShutdownBudget shutdownBudget) {
        this.pod = pod;
        this.streams = streams;
        this.killer = killer;
        this.shutdownBudget = shutdownBudget;
        // The connection to the API server may outlive a node that is lost.
        CompletableFuture.anyOf(streams.disconnected(), pod.exit())
                .thenRun(() -> Thread.ofVirtual().name("orloj-exec-end").start(this::end));
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
        return pod.container();
    }

    @Override
    public CompletableFuture<ExitStatus> exit() {
        return exit.copy();
    }

    @Override
    public Optional<Boolean> obeyedEof() {
        return obeyedEof;
    }

    /** Returns what the API server has reported. Complete once {@link #exit} is. */
    ExecOutcome outcome() {
        return streams.disconnected().isDone()
                ? ExecOutcome.parse(streams.status())
                : ExecOutcome.NONE;
    }

    /** Ends the output once the exit status is known, so that the reader finds it. */
    private void end() {
        // The last output may still be on its way.
        ShutdownBudget.completes(streams.disconnected(), OUTPUT_TIMEOUT);
        exit.complete(status(outcome()));
        streams.close();
    }

    private ExitStatus status(ExecOutcome outcome) {
        if (stop.hasBegun() || !outcome.mayBeOfThePod()) {
            return outcome.exit();
        }
        if (ShutdownBudget.completes(pod.exit(), REPORT_TIMEOUT)) {
            return endedWithPod(outcome, pod.exit().join());
        }
        if (outcome.isKnown()) {
            return outcome.exit();
        }
        killer.run(); // It lives on without a connection.
        return new ExitStatus(
                outcome.code(),
                false,
                "the connection to Pod \"%s\" was lost".formatted(pod.name()));
    }

    private ExitStatus endedWithPod(ExecOutcome outcome, ExitStatus end) {
        return new ExitStatus(
                outcome.code() < 0 ? end.code() : outcome.code(),
                end.outOfMemory(),
                "Pod \"%s\" ended%s"
                        .formatted(pod.name(), end.cause().isEmpty() ? "" : ": " + end.cause()));
    }

    @Override
    public void stop(Duration grace) {
        stop.run(
                "orloj-stop-exec",
                () -> {
                    try {
                        stopInPhases(grace);
                    } finally {
                        streams.close();
                        exit.complete(ExitStatus.UNKNOWN);
                    }
                });
    }

    private void stopInPhases(Duration grace) {
        boolean observed = !exit.isDone() && grace.isPositive();
        streams.closeStdin();
        boolean obeyed = shutdownBudget.awaits(exit, grace);
        obeyedEof = observed ? Optional.of(obeyed) : Optional.empty();
        if (!pod.exit().isDone() && outcome().failure().isEmpty()) {
            killer.run(); // with the processes that the program left behind
        }
        if (!obeyed) {
            ShutdownBudget.completes(exit, KILL_TIMEOUT);
        }
    }
}
