package dev.orloj.runtime.workload;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/**
 * A running program with standard streams and an end. Only platform threads read the streams: a
 * virtual thread that blocks on a process pipe pins its carrier, and enough of them stop all
 * others.
 */
public interface Workload {

    OutputStream stdin();

    InputStream stdout();

    InputStream stderr();

    /** Returns the pid of the program on this host, while it has one. */
    Optional<Long> pid();

    /** Returns the container that the program runs in; empty for a program of this host. */
    default Optional<ContainerRef> container() {
        return Optional.empty();
    }

    /** Returns the number of connections that the program has had before this one. */
    default int earlierConnections() {
        return 0;
    }

    /** Completes when the program has ended for any reason. Never completes exceptionally. */
    CompletableFuture<ExitStatus> exit();

    /**
     * Ends the workload and all its descendants: closes stdin, sends SIGTERM after {@code grace},
     * and kills after another grace. Returns when nothing is left. Idempotent: a second caller
     * waits for the first. An interrupt does not shorten the wait.
     */
    void stop(Duration grace);

    /**
     * Returns whether the program ended within the grace when its stdin was closed; empty before
     * {@link #stop}, for a program that ended by itself, and without a grace.
     */
    default Optional<Boolean> obeyedEof() {
        return Optional.empty();
    }

    /** Stops a workload whose start completes after the requester was interrupted. */
    static void abandon(Future<? extends Workload> start) {
        Thread.ofVirtual()
                .name("orloj-abandoned-start")
                .start(
                        () -> {
                            try {
                                start.get().stop(Duration.ZERO);
                            } catch (ExecutionException | InterruptedException e) {
                                // It was not started, so there is nothing to stop.
                            }
                        });
    }
}
