package dev.orloj.runtime.container;

import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.model.Container;

import dev.orloj.runtime.container.engine.EngineCommands;
import dev.orloj.runtime.container.engine.EngineConnection;
import dev.orloj.runtime.container.spec.ContainerLabels;
import dev.orloj.runtime.workload.ProcessIdentity;
import dev.orloj.runtime.workload.WorkloadException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;

/**
 * Removes unused containers of this orlojd: those that an earlier run left behind when it died, and
 * those that this run could not remove because the engine did not respond. Thread-safe.
 */
final class ContainerSweep {

    private static final Logger log = LoggerFactory.getLogger(ContainerSweep.class);

    private final EngineConnection engine;
    private final EngineCommands commands;
    private final ContainerLabels labels;
    private final Predicate<String> isOurs;

    /**
     * @param isOurs whether this run starts or manages the container with this id
     */
    ContainerSweep(
            EngineConnection engine,
            EngineCommands commands,
            ContainerLabels labels,
            Predicate<String> isOurs) {
        this.engine = engine;
        this.commands = commands;
        this.labels = labels;
        this.isOurs = isOurs;
    }

    /**
     * Removes the containers and returns when they are gone.
     *
     * @throws WorkloadException when the engine cannot be reached
     */
    void run() {
        List<String> left =
                list().stream()
                        .filter(container -> isLeft(container))
                        .map(container -> Objects.requireNonNull(container.getId()))
                        .toList();
        if (left.isEmpty()) {
            return;
        }
        try (ExecutorService removers = Executors.newVirtualThreadPerTaskExecutor()) {
            left.forEach(id -> removers.execute(() -> commands.remove(id)));
        }
        log.atWarn()
                .addKeyValue("containers", left.size())
                .addKeyValue("replica", labels.replica())
                .log("Removed containers that an orlojd left behind");
    }

    private List<Container> list() {
        try {
            return engine.call(
                    "list containers",
                    client ->
                            client.listContainersCmd()
                                    .withShowAll(true)
                                    .withLabelFilter(labels.ofReplica())
                                    .exec());
        } catch (DockerException e) {
            throw new WorkloadException(
                    "Containers could not be listed: " + EngineConnection.reason(e), e);
        }
    }

    private boolean isLeft(Container container) {
        Map<String, String> found = Objects.requireNonNullElse(container.getLabels(), Map.of());
        String instance = found.getOrDefault(ContainerLabels.INSTANCE, "");
        return instance.equals(labels.instance())
                ? !isOurs.test(Objects.requireNonNull(container.getId()))
                : ProcessIdentity.parse(instance).filter(ProcessIdentity::isAlive).isEmpty();
    }
}
