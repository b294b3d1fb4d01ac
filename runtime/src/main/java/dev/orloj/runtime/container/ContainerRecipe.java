package dev.orloj.runtime.container;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.HealthCheck;
import com.github.dockerjava.api.model.Mount;
import com.github.dockerjava.api.model.MountType;

import dev.orloj.api.Frozen;
import dev.orloj.runtime.container.engine.EngineFacts;
import dev.orloj.runtime.container.image.Image;
import dev.orloj.runtime.container.init.InitProcess;
import dev.orloj.runtime.container.network.ContainerNetworks;
import dev.orloj.runtime.container.secret.SecretMounts;
import dev.orloj.runtime.container.spec.ContainerSpec;
import dev.orloj.runtime.container.spec.ContainerUser;
import dev.orloj.runtime.container.spec.HostMount;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The complete input for the creation of a container.
 *
 * @param labels labels that name the owner
 * @param init the init that the engine adds or that is mounted
 */
record ContainerRecipe(
        ContainerSpec spec,
        Image image,
        ContainerUser user,
        SecretMounts secrets,
        ContainerNetworks.Attachment network,
        Map<String, String> labels,
        EngineFacts engine,
        InitProcess init) {

    ContainerRecipe {
        labels = Frozen.map(labels);
    }

    CreateContainerCmd fill(CreateContainerCmd command) {
        command.withHostConfig(
                        HardenedHost.config(
                                spec.isolation(), init, folders(), mounts(), network.name()))
                .withLabels(labels)
                .withUser(user.text())
                .withEnv(env())
                // MCP pings check the health of the server.
                .withHealthcheck(new HealthCheck().withTest(List.of("NONE")))
                .withAttachStdin(true)
                .withAttachStdout(true)
                .withAttachStderr(true)
                .withStdinOpen(true)
                // The end of the attach connection is the end of stdin.
                .withStdInOnce(true)
                .withTty(false);
        List<String> prefix = init.prefix();
        if (!prefix.isEmpty() || !spec.entrypoint().isEmpty()) {
            command.withEntrypoint(Stream.concat(prefix.stream(), entrypoint().stream()).toList());
        }
        // An explicit entrypoint makes the engine ignore the arguments of the image.
        List<String> args = prefix.isEmpty() ? spec.args() : args();
        if (!args.isEmpty()) {
            command.withCmd(args);
        }
        return command;
    }

    private List<String> entrypoint() {
        return spec.entrypoint().isEmpty() ? image.entrypoint() : spec.entrypoint();
    }

    private List<String> args() {
        return spec.args().isEmpty() && spec.entrypoint().isEmpty() ? image.command() : spec.args();
    }

    /** Returns the command line of the container, from the specification or from the image. */
    List<String> program() {
        return Stream.concat(entrypoint().stream(), args().stream()).toList();
    }

    ContainerRecipe with(InitProcess other) {
        return new ContainerRecipe(spec, image, user, secrets, network, labels, engine, other);
    }

    /** Returns the mounts of host files. */
    List<Mount> mounts() {
        List<Mount> mounts = new ArrayList<>(secrets.mounts());
        for (HostMount mount : spec.mounts()) {
            mounts.add(bind(mount.hostFolder(), mount.mountPath(), mount.readOnly()));
        }
        if (init instanceof InitProcess.OfHost(Path program)) {
            mounts.add(bind(program, InitProcess.MOUNT_PATH, true));
        }
        return mounts;
    }

    private static Mount bind(Path source, String target, boolean readOnly) {
        return new Mount()
                .withType(MountType.BIND)
                .withSource(source.toString())
                .withTarget(target)
                .withReadOnly(readOnly);
    }

    /** Returns the folders that the image writes to, and those that the engine makes writable. */
    private List<String> folders() {
        return Stream.concat(engine.writableFolders().stream(), image.volumes().stream()).toList();
    }

    private List<String> env() {
        Map<String, String> env = new TreeMap<>(network.env());
        env.putAll(spec.env());
        return env.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList();
    }
}
