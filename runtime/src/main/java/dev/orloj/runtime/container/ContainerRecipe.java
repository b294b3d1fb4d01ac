package dev.orloj.runtime.container;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.HealthCheck;
import com.github.dockerjava.api.model.Mount;
import com.github.dockerjava.api.model.MountType;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Everything that a container is made of, once all questions are answered.
 *
 * @param labels that name its owner
 */
record ContainerRecipe(
        ContainerSpec spec,
        Image image,
        ContainerUser user,
        SecretMounts secrets,
        ContainerNetworks.Attachment network,
        Map<String, String> labels,
        EngineFacts engine) {

    ContainerRecipe {
        labels = Map.copyOf(labels);
    }

    CreateContainerCmd fill(CreateContainerCmd command) {
        command.withHostConfig(
                        HardenedHost.config(spec.isolation(), folders(), mounts(), network.name()))
                .withLabels(labels)
                .withUser(user.text())
                .withEnv(env())
                // Whether the server is well is asked over MCP.
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

    /** What of the host it sees. */
    List<Mount> mounts() {
        List<Mount> mounts = new ArrayList<>(secrets.mounts());
        for (HostMount mount : spec.mounts()) {
            mounts.add(
                    new Mount()
                            .withType(MountType.BIND)
                            .withSource(mount.hostFolder().toString())
                            .withTarget(mount.mountPath())
                            .withReadOnly(mount.readOnly()));
        }
        return mounts;
    }

    /** What the image wants to write to, and what the engine lets everybody write to. */
    private List<String> folders() {
        return Stream.concat(engine.writableFolders().stream(), image.volumes().stream()).toList();
    }

    private List<String> env() {
        Map<String, String> env = new TreeMap<>(network.env());
        env.putAll(spec.env());
        return env.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList();
    }
}
