package dev.orloj.runtime.workload;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Something that runs, with standard streams and an end. The streams are read on platform threads
 * only: a virtual thread that blocks on a process pipe holds its carrier, and enough of them stop
 * all others.
 */
public interface Workload {

    OutputStream stdin();

    InputStream stdout();

    InputStream stderr();

    /** The process id of the program on this host, while it has one. */
    Optional<Long> pid();

    /** The container that the program runs in; empty for a program of this host. */
    default Optional<ContainerRef> container() {
        return Optional.empty();
    }

    /** Completes when the program has ended, for whatever reason. Never completes exceptionally. */
    CompletableFuture<ExitStatus> exit();

    /**
     * Ends the workload and everything it started: stdin is closed, after {@code grace} it is asked
     * to terminate, after another it is killed. Returns when nothing is left; idempotent, and a
     * second caller waits for the first. An interrupt does not shorten it.
     */
    void stop(Duration grace);
}
