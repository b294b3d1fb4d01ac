package dev.orloj.runtime.container;

import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.exception.DockerException;

import dev.orloj.runtime.workload.WorkloadException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Looks at containers that have just been started: whether they are closed in as was asked, and
 * where they are on this host. Beside the start, which it must not delay. Thread-safe.
 */
final class ContainerInspector {

    private static final Logger log = LoggerFactory.getLogger(ContainerInspector.class);

    private final EngineConnection engine;
    private final ContainerListener listener;

    ContainerInspector(EngineConnection engine, ContainerListener listener) {
        this.engine = engine;
        this.listener = listener;
    }

    /** Returns at once. A container that is open where it was to be closed is killed. */
    void inspect(DockerContainer container) {
        Thread.ofVirtual().name("orloj-inspect-" + container.name()).start(() -> look(container));
    }

    private void look(DockerContainer container) {
        try {
            InspectContainerResponse found =
                    engine.call(
                            "inspect a container",
                            client -> client.inspectContainerCmd(container.id()).exec());
            locate(container, found);
            Posture posture = new PostureCheck(container.recipe(), found, engine.facts()).posture();
            container.looked().complete(posture);
            listener.started(container.recipe().spec().owner(), posture);
        } catch (DockerException e) {
            // It has ended already.
        } catch (WorkloadException e) {
            if (container.isStopping()) {
                return;
            }
            log.atError()
                    .addKeyValue("container", container.name())
                    .addKeyValue("error", e.getMessage())
                    .log("Container is killed: it is not known to be closed in");
            container.stop(Duration.ZERO);
        }
    }

    /** The engine may be of another host, or orlojd in a container itself. */
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
