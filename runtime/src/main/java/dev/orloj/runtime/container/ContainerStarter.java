package dev.orloj.runtime.container;

import com.github.dockerjava.api.exception.ConflictException;
import com.github.dockerjava.api.exception.DockerException;

import dev.orloj.runtime.container.engine.ContainerEvents;
import dev.orloj.runtime.container.engine.EngineCommands;
import dev.orloj.runtime.container.engine.EngineConnection;
import dev.orloj.runtime.container.engine.EngineEvents;
import dev.orloj.runtime.container.image.ContainerImages;
import dev.orloj.runtime.container.image.Image;
import dev.orloj.runtime.container.image.ImageDeclaration;
import dev.orloj.runtime.container.init.HostInit;
import dev.orloj.runtime.container.init.InitProcess;
import dev.orloj.runtime.container.network.ContainerNetworks;
import dev.orloj.runtime.container.secret.SecretFiles;
import dev.orloj.runtime.container.secret.SecretMounts;
import dev.orloj.runtime.container.spec.ContainerLabels;
import dev.orloj.runtime.container.spec.ContainerOwner;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.ContainerUser;
import dev.orloj.runtime.workload.ShutdownBudget;
import dev.orloj.runtime.workload.WorkloadException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Creates a running container from a specification: resolves image, user, network and secrets, then
 * creates, attaches and starts. Leaves nothing behind when a step fails. Thread-safe.
 */
final class ContainerStarter {

    private static final Logger log = LoggerFactory.getLogger(ContainerStarter.class);
    private static final int NAME_ATTEMPTS = 1000;

    private record Created(String id, String name) {}

    private final EngineConnection engine;
    private final EngineEvents events;
    private final EngineCommands commands;
    private final ContainerImages images;
    private final ContainerUsers users;
    private final SecretFiles secretFiles;
    private final ContainerNetworks networks;
    private final ContainerLabels labels;
    private final ShutdownBudget shutdownBudget;
    private final Runnable requireOpen;
    private final List<Path> initPlaces;
    private final AtomicLong starts = new AtomicLong();
    private final AtomicBoolean warnedOfMissingInit = new AtomicBoolean();

    /**
     * @param requireOpen throws when containers are no longer started; called before each slow step
     * @param initPlaces possible paths of an init on this host, for an engine without one
     */
    ContainerStarter(
            EngineConnection engine,
            EngineEvents events,
            EngineCommands commands,
            ContainerImages images,
            SecretFiles secretFiles,
            ContainerNetworks networks,
            ContainerLabels labels,
            ShutdownBudget shutdownBudget,
            Runnable requireOpen,
            List<Path> initPlaces) {
        this.engine = engine;
        this.events = events;
        this.commands = commands;
        this.images = images;
        this.users = new ContainerUsers(engine, labels);
        this.secretFiles = secretFiles;
        this.networks = networks;
        this.labels = labels;
        this.shutdownBudget = shutdownBudget;
        this.requireOpen = requireOpen;
        this.initPlaces = List.copyOf(initPlaces);
    }

    /**
     * @throws WorkloadException when the container cannot be started
     */
    DockerContainer start(ContainerSpec requested) throws InterruptedException {
        events.open();
        Image image = images.require(requested.owner(), requested.image());
        ContainerSpec spec = ImageDeclaration.of(image).complete(requested);
        ContainerUser user = users.choose(spec, image);
        ContainerNetworks.Attachment network =
                networks.prepare(spec.owner(), spec.isolation().network());
        SecretMounts secrets = secrets(spec, user);
        boolean running = false;
        try {
            DockerContainer container =
                    run(
                            new ContainerRecipe(
                                    spec,
                                    image,
                                    user,
                                    secrets,
                                    network,
                                    labels.of(spec.owner()),
                                    engine.facts(),
                                    new InitProcess.OfEngine()));
            container.exit().thenRun(secrets::close);
            running = true;
            return container;
        } finally {
            if (!running) {
                secrets.close();
            }
        }
    }

    private SecretMounts secrets(ContainerSpec spec, ContainerUser user) {
        if (!spec.mounts().isEmpty() && !engine.isLocal()) {
            throw new WorkloadException(
                    "%s does not see the folders of this host, so none can be mounted; use an engine of this host"
                            .formatted(engine.name()));
        }
        if (spec.secretFiles().isEmpty()) {
            return SecretMounts.NONE;
        }
        if (!engine.isLocal()) {
            throw new WorkloadException(
                    "%s does not see the files of this host, so no secret can be mounted; pass it as a variable, or use an engine of this host"
                            .formatted(engine.name()));
        }
        return secretFiles.write(
                spec.secretFiles(), engine.facts().mapsUsers() ? OptionalInt.empty() : user.uid());
    }

    /**
     * Runs the container with the init of the engine; if the engine has none, with the best
     * alternative.
     */
    private DockerContainer run(ContainerRecipe recipe) {
        WorkloadException refusal = null;
        for (InitProcess init : InitProcess.choices(recipe.program(), initOfHost())) {
            if (refusal != null) {
                warnOfMissingInit(init, refusal);
            }
            try {
                return runOnce(recipe.with(init));
            } catch (WorkloadException e) {
                if (!init.isMissing(String.valueOf(e.getMessage()))) {
                    throw e;
                }
                refusal = e;
            }
        }
        throw Objects.requireNonNull(refusal);
    }

    private Optional<Path> initOfHost() {
        return engine.isLocal() ? HostInit.find(initPlaces) : Optional.empty();
    }

    private void warnOfMissingInit(InitProcess instead, WorkloadException refusal) {
        if (warnedOfMissingInit.compareAndSet(false, true)) {
            log.atWarn()
                    .addKeyValue("engine", engine.name())
                    .addKeyValue("instead", instead.describe())
                    .addKeyValue("error", refusal.getMessage())
                    .log("Container engine finds no init; install catatonit on its host");
        }
    }

    private DockerContainer runOnce(ContainerRecipe recipe) {
        requireOpen.run();
        Created created = create(recipe);
        boolean running = false;
        try {
            ContainerEvents watch = events.watch(created.id());
            ContainerStreams streams = attach(created);
            requireOpen.run();
            engine.run(
                    "start a container", client -> client.startContainerCmd(created.id()).exec());
            running = true;
            return new DockerContainer(
                    created.id(), created.name(), recipe, streams, watch, commands, shutdownBudget);
        } catch (DockerException e) {
            throw refused("Image \"%s\" could not be started: %s", recipe, e);
        } finally {
            if (!running) {
                commands.remove(created.id());
            }
        }
    }

    private Created create(ContainerRecipe recipe) {
        for (int attempt = 1; ; attempt++) {
            String name = nextName(recipe.spec().owner());
            try {
                String id =
                        engine.call(
                                "create a container",
                                client ->
                                        recipe.fill(client.createContainerCmd(recipe.image().id()))
                                                .withName(name)
                                                .exec()
                                                .getId());
                return new Created(id, name);
            } catch (DockerException e) {
                // The name may belong to a container of another orlojd, or to one that is being
                // removed.
                if (!(e instanceof ConflictException) || attempt == NAME_ATTEMPTS) {
                    throw refused("No container could be made of image \"%s\": %s", recipe, e);
                }
            }
        }
    }

    private String nextName(ContainerOwner owner) {
        return "orloj-%s-%s-%d"
                .formatted(owner.namespace(), owner.server(), starts.incrementAndGet());
    }

    private ContainerStreams attach(Created created) {
        ContainerStreams streams = new ContainerStreams();
        engine.call(
                "attach to a container",
                client ->
                        client.attachContainerCmd(created.id())
                                .withStdIn(streams.toContainer())
                                .withStdOut(true)
                                .withStdErr(true)
                                .withFollowStream(true)
                                .exec(streams));
        try {
            streams.attached().join();
            return streams;
        } catch (CompletionException e) {
            throw engine.unreachable("attach to a container", e);
        }
    }

    private static WorkloadException refused(
            String message, ContainerRecipe recipe, DockerException refusal) {
        return new WorkloadException(
                message.formatted(recipe.image().name(), EngineConnection.reason(refusal)),
                refusal);
    }
}
