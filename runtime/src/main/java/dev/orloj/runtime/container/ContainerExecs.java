package dev.orloj.runtime.container;

import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.exception.ConflictException;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;

import dev.orloj.api.Frozen;
import dev.orloj.runtime.container.engine.EngineConnection;
import dev.orloj.runtime.container.spec.ContainerGoneException;
import dev.orloj.runtime.container.spec.ExecMarker;
import dev.orloj.runtime.workload.ContainerRef;
import dev.orloj.runtime.workload.ShutdownBudget;
import dev.orloj.runtime.workload.Workload;
import dev.orloj.runtime.workload.WorkloadException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Runs programs in existing containers and tracks the running ones. Thread-safe. */
final class ContainerExecs implements AutoCloseable {

    private static final Duration SHUTDOWN_GRACE = Duration.ofSeconds(2);

    private final EngineConnection engine;
    private final ShutdownBudget shutdownBudget;
    private final Set<Workload> alive = ConcurrentHashMap.newKeySet();

    ContainerExecs(EngineConnection engine, ShutdownBudget shutdownBudget) {
        this.engine = engine;
        this.shutdownBudget = shutdownBudget;
    }

    /**
     * @throws ContainerGoneException when the container is not running
     * @throws WorkloadException when the program cannot be started
     */
    Workload start(String container, List<String> command, Map<String, String> env) {
        ExecMarker marker = ExecMarker.random();
        List<String> variables = new ArrayList<>();
        env.forEach((name, value) -> variables.add(name + "=" + value));
        variables.add(marker.variable());
        try {
            ContainerRef running = requireRunning(container);
            String id =
                    engine.call(
                            "run a program in a container",
                            client ->
                                    client.execCreateCmd(container)
                                            .withAttachStdin(true)
                                            .withAttachStdout(true)
                                            .withAttachStderr(true)
                                            .withEnv(variables)
                                            .withCmd(command.toArray(String[]::new))
                                            .exec()
                                            .getId());
            DockerExec exec =
                    new DockerExec(
                            id,
                            running,
                            new ExecKiller(engine, container, marker),
                            engine,
                            attach(id),
                            shutdownBudget);
            alive.add(exec);
            exec.exit().thenRun(() -> alive.remove(exec));
            return exec;
        } catch (NotFoundException | ConflictException e) {
            throw new ContainerGoneException(container, EngineConnection.reason(e), e);
        } catch (DockerException e) {
            throw new WorkloadException(
                    "Command \"%s\" could not be run in container \"%s\": %s"
                            .formatted(command.getFirst(), container, EngineConnection.reason(e)),
                    e);
        }
    }

    /**
     * Checks the container, because an engine may accept a program for a container that has ended
     * and never run it.
     */
    private ContainerRef requireRunning(String container) {
        InspectContainerResponse found =
                engine.call(
                        "inspect a container",
                        client -> client.inspectContainerCmd(container).exec());
        if (!Boolean.TRUE.equals(found.getState().getRunning())) {
            throw new ContainerGoneException(container, "it does not run", null);
        }
        return new ContainerRef(found.getId(), found.getName().substring(1), found.getImageId());
    }

    private ContainerStreams attach(String id) {
        ContainerStreams streams = new ContainerStreams();
        engine.call(
                "run a program in a container",
                client ->
                        client.execStartCmd(id)
                                .withDetach(false)
                                .withTty(false)
                                .withStdIn(streams.toContainer())
                                .exec(streams));
        try {
            streams.attached().join();
            return streams;
        } catch (CompletionException e) {
            throw engine.unreachable("run a program in a container", e);
        }
    }

    private static void onVirtualThread(Runnable work) {
        Thread.ofVirtual().name("orloj-exec-end").start(work);
    }

    /** Kills all programs without a grace. Returns at once. */
    void abandonAll() {
        Frozen.set(alive).forEach(exec -> onVirtualThread(() -> exec.stop(Duration.ZERO)));
    }

    /** Stops all programs concurrently. */
    @Override
    public void close() {
        try (ExecutorService stoppers = Executors.newVirtualThreadPerTaskExecutor()) {
            Frozen.set(alive).forEach(exec -> stoppers.execute(() -> exec.stop(SHUTDOWN_GRACE)));
        }
    }
}
