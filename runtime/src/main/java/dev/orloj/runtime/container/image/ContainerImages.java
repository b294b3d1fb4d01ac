package dev.orloj.runtime.container.image;

import com.github.dockerjava.api.command.InspectImageResponse;
import com.github.dockerjava.api.command.PullImageCmd;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.AuthConfig;
import com.github.dockerjava.api.model.ContainerConfig;
import com.github.dockerjava.core.NameParser;

import dev.orloj.runtime.container.engine.EngineConnection;
import dev.orloj.runtime.container.spec.ContainerListener;
import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.container.spec.ImageSource;
import dev.orloj.runtime.container.spec.PullPolicy;
import dev.orloj.runtime.container.spec.RegistryCredential;
import dev.orloj.runtime.workload.WorkloadException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Finds images at the engine, and pulls them from their registries on request. Thread-safe. */
public final class ContainerImages {

    /** Does not count towards the startup timeout of the server. */
    private static final Duration PULL_TIMEOUT = Duration.ofMinutes(5);

    private static final String DOCKER_HUB_ADDRESS = "https://index.docker.io/v1/";

    private final EngineConnection engine;
    private final ContainerListener listener;

    public ContainerImages(EngineConnection engine, ContainerListener listener) {
        this.engine = engine;
        this.listener = listener;
    }

    /**
     * Returns the image as it is on this host, pulling it if the policy requires it.
     *
     * @param owner the owner for which the image is pulled
     * @throws WorkloadException when the image is not on this host and cannot be pulled
     */
    public Image require(ContainerOwner owner, ImageSource source) throws InterruptedException {
        if (source.pullPolicy() != PullPolicy.ALWAYS) {
            Optional<Image> here = find(source.name());
            if (here.isPresent()) {
                return here.get();
            }
        }
        if (source.pullPolicy() == PullPolicy.NEVER) {
            throw new WorkloadException(
                    "Image \"%s\" is not known to the %s, and image_pull_policy is Never"
                            .formatted(source.name(), engine.name()));
        }
        pull(owner, source);
        return find(source.name())
                .orElseThrow(
                        () ->
                                new WorkloadException(
                                        "Image \"%s\" was removed while it was wanted"
                                                .formatted(source.name())));
    }

    /** Returns the image if it is on this host. */
    public Optional<Image> find(String name) {
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
                Objects.requireNonNullElse(config.getLabels(), Map.of()),
                texts(config.getEntrypoint()),
                texts(config.getCmd()));
    }

    private static List<String> texts(String @Nullable [] texts) {
        return texts == null ? List.of() : List.of(texts);
    }

    private void pull(ContainerOwner owner, ImageSource source) throws InterruptedException {
        listener.pulling(owner, source.name(), "");
        ImagePull pull = new ImagePull(text -> listener.pulling(owner, source.name(), text));
        engine.call("pull an image", client -> command(client.pullImageCmd(""), source).exec(pull));
        String failure = await(pull);
        if (!failure.isEmpty()) {
            String cause =
                    "Image \"%s\" could not be pulled from registry \"%s\": %s"
                            .formatted(source.name(), source.registry(), failure);
            listener.notPulled(owner, source.name(), cause);
            throw new WorkloadException(cause);
        }
        listener.pulled(owner, source.name());
    }

    /** Adds a tag: without one, the engine would pull all tags. */
    private static PullImageCmd command(PullImageCmd command, ImageSource source) {
        NameParser.ReposTag name = NameParser.parseRepositoryTag(source.name());
        command.withRepository(name.repos);
        if (!source.name().contains("@")) {
            command.withTag(name.tag.isEmpty() ? "latest" : name.tag);
        }
        source.credential()
                .map(credential -> authentication(source.registry(), credential))
                .ifPresent(command::withAuthConfig);
        return command;
    }

    private static AuthConfig authentication(String registry, RegistryCredential credential) {
        return new AuthConfig()
                .withRegistryAddress(
                        registry.equals(ImageSource.DOCKER_HUB) ? DOCKER_HUB_ADDRESS : registry)
                .withUsername(credential.username())
                .withPassword(credential.password());
    }

    private static String await(ImagePull pull) throws InterruptedException {
        try {
            return pull.failure().get(PULL_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            breakOff(pull);
            return "it took longer than " + PULL_TIMEOUT.toMinutes() + " minutes";
        } catch (ExecutionException e) {
            throw new IllegalStateException("a pull ends with a text", e);
        }
    }

    private static void breakOff(ImagePull pull) {
        try {
            pull.close();
        } catch (IOException e) {
            // The connection is closed.
        }
    }
}
