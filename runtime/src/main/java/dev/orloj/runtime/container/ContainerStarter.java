package dev.orloj.runtime.container;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.exception.ConflictException;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.model.HealthCheck;

import dev.orloj.runtime.workload.Haste;
import dev.orloj.runtime.workload.WorkloadException;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The straight line from a specification to a container that runs: image, network, create, attach,
 * start. When it breaks off nothing is left. Thread-safe.
 */
final class ContainerStarter {

    private static final int NAME_ATTEMPTS = 1000;

    private final EngineConnection engine;
    private final EngineEvents events;
    private final EngineCommands commands;
    private final ContainerImages images;
    private final ContainerNetworks networks;
    private final ContainerLabels labels;
    private final Haste haste;
    private final AtomicLong starts = new AtomicLong();

    ContainerStarter(
            EngineConnection engine,
            EngineEvents events,
            ContainerImages images,
            ContainerNetworks networks,
            ContainerLabels labels,
            Haste haste) {
        this.engine = engine;
        this.events = events;
        this.commands = new EngineCommands(engine, events);
        this.images = images;
        this.networks = networks;
        this.labels = labels;
        this.haste = haste;
    }

    private record Created(String id, String name) {}

    /**
     * @throws WorkloadException when it cannot be started
     */
    DockerContainer start(ContainerSpec spec) throws InterruptedException {
        events.open();
        Image image = images.require(spec.image());
        ContainerNetworks.Attachment network =
                networks.prepare(spec.owner(), spec.isolation().network());
        Created created = create(spec, image, network);
        boolean running = false;
        try {
            ContainerWatch watch = events.watch(created.id());
            ContainerStreams streams = attach(created);
            engine.tell(
                    "start a container", client -> client.startContainerCmd(created.id()).exec());
            running = true;
            return new DockerContainer(
                    created.id(), created.name(), streams, watch, commands, haste);
        } catch (DockerException e) {
            throw new WorkloadException(
                    "Image \"%s\" could not be started: %s"
                            .formatted(image.name(), EngineConnection.reason(e)),
                    e);
        } finally {
            if (!running) {
                commands.remove(created.id());
            }
        }
    }

    private Created create(ContainerSpec spec, Image image, ContainerNetworks.Attachment network) {
        for (int attempt = 1; ; attempt++) {
            String name =
                    "orloj-%s-%s-%d"
                            .formatted(
                                    spec.owner().namespace(),
                                    spec.owner().server(),
                                    starts.incrementAndGet());
            try {
                return new Created(
                        engine.call(
                                "create a container",
                                client ->
                                        command(
                                                        client.createContainerCmd(image.id()),
                                                        spec,
                                                        image,
                                                        network)
                                                .withName(name)
                                                .exec()
                                                .getId()),
                        name);
            } catch (ConflictException e) {
                // The name belongs to what another orlojd runs, or to what is being removed.
                if (attempt == NAME_ATTEMPTS) {
                    throw notCreated(image, e);
                }
            } catch (DockerException e) {
                throw notCreated(image, e);
            }
        }
    }

    private static WorkloadException notCreated(Image image, DockerException e) {
        return new WorkloadException(
                "No container could be made of image \"%s\": %s"
                        .formatted(image.name(), EngineConnection.reason(e)),
                e);
    }

    private CreateContainerCmd command(
            CreateContainerCmd command,
            ContainerSpec spec,
            Image image,
            ContainerNetworks.Attachment network) {
        Map<String, String> env = new TreeMap<>(network.env());
        env.putAll(spec.env());
        command.withHostConfig(
                        HardenedHost.config(spec.isolation(), image, List.of(), network.name()))
                .withLabels(labels.of(spec.owner()))
                .withUser(user(spec, image))
                .withEnv(env.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList())
                .withHealthcheck(new HealthCheck().withTest(List.of("NONE")))
                .withAttachStdin(true)
                .withAttachStdout(true)
                .withAttachStderr(true)
                .withStdinOpen(true)
                // The end of the attach connection is the end of stdin.
                .withStdInOnce(true)
                .withTty(false);
        if (!spec.entrypoint().isEmpty()) {
            command.withEntrypoint(spec.entrypoint());
        }
        if (!spec.args().isEmpty()) {
            command.withCmd(spec.args());
        }
        return command;
    }

    private static String user(ContainerSpec spec, Image image) {
        if (!spec.isolation().user().isEmpty()) {
            return spec.isolation().user();
        }
        return ContainerUser.isRoot(image.user()) ? Isolation.NOBODY : image.user();
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
}
