package dev.orloj.runtime.container;

import com.github.dockerjava.api.command.InspectImageResponse;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.ContainerConfig;

import dev.orloj.runtime.workload.WorkloadException;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Images of the engine. Thread-safe. */
final class ContainerImages {

    private final EngineConnection engine;

    ContainerImages(EngineConnection engine) {
        this.engine = engine;
    }

    /**
     * The image, as it is on this host.
     *
     * @throws WorkloadException when it is not there and cannot be brought here
     */
    Image require(ImageSource source) throws InterruptedException {
        return find(source.name())
                .orElseThrow(
                        () ->
                                new WorkloadException(
                                        "Image \"%s\" is not known to the %s"
                                                .formatted(source.name(), engine.name())));
    }

    Optional<Image> find(String name) {
        try {
            return Optional.of(
                    image(
                            name,
                            engine.call(
                                    "look up an image",
                                    client -> client.inspectImageCmd(name).exec())));
        } catch (NotFoundException e) {
            return Optional.empty();
        } catch (DockerException e) {
            throw new WorkloadException(
                    "Image \"%s\" cannot be looked up: %s"
                            .formatted(name, EngineConnection.reason(e)),
                    e);
        }
    }

    private static Image image(String name, InspectImageResponse found) {
        ContainerConfig config =
                Objects.requireNonNullElseGet(found.getConfig(), ContainerConfig::new);
        return new Image(
                name,
                Objects.requireNonNull(found.getId()),
                Objects.requireNonNullElse(found.getRepoDigests(), List.of()),
                Objects.requireNonNullElse(config.getUser(), ""),
                config.getVolumes() == null ? List.of() : List.copyOf(config.getVolumes().keySet()),
                Objects.requireNonNullElse(config.getLabels(), Map.of()));
    }
}
