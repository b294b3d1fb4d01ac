package dev.orloj.runtime.container.spec;

import dev.orloj.runtime.workload.Workload;
import dev.orloj.runtime.workload.WorkloadException;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A running container in which several programs can run beside its main program. Thread-safe. */
public interface SharedContainer {

    /** Returns the readable name of the container. */
    String name();

    /** Returns the main program, which ends with the container. */
    Workload main();

    /** Returns the isolation of the container, once it is known. */
    Optional<Posture> posture();

    /** Completes when {@link #posture} is known, which may be never. */
    CompletableFuture<Posture> inspected();

    /**
     * Runs another program in the container.
     *
     * @param env added to the variables of the container
     * @throws WorkloadException when the program cannot be started
     */
    Workload exec(List<String> command, Map<String, String> env) throws InterruptedException;
}
