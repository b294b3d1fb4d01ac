package dev.orloj.runtime.container;

import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;

import dev.orloj.runtime.container.engine.EngineConnection;
import dev.orloj.runtime.container.spec.ContainerListener;
import dev.orloj.runtime.container.spec.Posture;
import dev.orloj.runtime.workload.WorkloadException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Inspects containers that have just been started: whether they are isolated as requested, and
 * where they are on this host. Runs in the background, so that it does not delay the start.
 * Thread-safe.
 */
final class ContainerInspector {

    private static final Logger log = LoggerFactory.getLogger(ContainerInspector.class);

    private static final Duration MOMENT = Duration.ofSeconds(2);
    private static final Duration POLL = Duration.ofMillis(10);

    private final EngineConnection engine;
    private final ContainerListener listener;

    ContainerInspector(EngineConnection engine, ContainerListener listener) {
        this.engine = engine;
        this.listener = listener;
    }

    /**
     * Inspects a container in the background. Returns at once. Kills a container that is less
     * isolated than required.
     */
    void inspect(DockerContainer container) {
        Thread.ofVirtual().name("orloj-inspect-" + container.name()).start(() -> look(container));
    }

    private void look(DockerContainer container) {
        try {
            InspectContainerResponse found = ask(container);
            locate(container, found);
            Posture posture =
                    new PostureCheck(
                                    container.recipe(),
                                    found,
                                    () -> isSeenWithoutCapabilities(container))
                            .posture();
            container.looked().complete(posture);
            listener.started(container.recipe().spec().owner(), posture);
        } catch (NotFoundException e) {
            // The container has ended already.
        } catch (DockerException | WorkloadException e) {
            if (container.isStopping() || hasEnded(container)) {
                return;
            }
            log.atError()
                    .addKeyValue("container", container.name())
                    .addKeyValue("error", e.getMessage())
                    .log("Container is killed: it is not known to be closed in");
            container.stop(Duration.ZERO);
        }
    }

    /**
     * Asks the kernel for the capabilities of the container's first process. Repeats this for a
     * short time, because an OCI runtime may drop the capabilities after the engine has reported
     * the start.
     */
    private static boolean isSeenWithoutCapabilities(DockerContainer container) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < MOMENT.toNanos()) {
            Optional<ProcessStatus> seen = container.pid().flatMap(ProcessStatus::of);
            if (seen.isEmpty()) {
                return false;
            }
            if (seen.orElseThrow().hasNoCapabilities()) {
                return true;
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
        return false;
    }

    /**
     * Returns whether the container has ended: an ended container is not a risk, although it could
     * not be inspected.
     */
    private boolean hasEnded(DockerContainer container) {
        try {
            return !Boolean.TRUE.equals(ask(container).getState().getRunning());
        } catch (NotFoundException e) {
            return true;
        } catch (DockerException | WorkloadException e) {
            return false; // unknown
        }
    }

    private InspectContainerResponse ask(DockerContainer container) {
        return engine.call(
                "inspect a container", client -> client.inspectContainerCmd(container.id()).exec());
    }

    /**
     * Sets the process id of the container, unless the engine runs on another host or orlojd runs
     * in a container itself.
     */
    private static void locate(DockerContainer container, InspectContainerResponse found) {
        Long pid = found.getState() == null ? null : found.getState().getPidLong();
        if (pid != null && pid > 0 && isIn(container.id(), pid)) {
            container.foundAt(pid);
        }
    }

    private static boolean isIn(String containerId, long pid) {
        try {
            return Files.readString(
                            Path.of("/proc", Long.toString(pid), "cgroup"),
                            StandardCharsets.ISO_8859_1)
                    .contains(containerId);
        } catch (IOException e) {
            return false;
        }
    }
}
