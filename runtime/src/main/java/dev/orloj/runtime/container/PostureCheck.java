package dev.orloj.runtime.container;

import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HostConfig;

import dev.orloj.runtime.workload.WorkloadException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Compares what was asked of the engine with what it says it does. An engine that leaves out a
 * limit, as some do that have no rights over cgroups, is a relaxation that is told; one that opens
 * what was to be closed is not trusted with a container.
 */
final class PostureCheck {

    private final ContainerRecipe asked;
    private final HostConfig found;
    private final List<InspectContainerResponse.Mount> mounts;
    private final String user;
    private final EngineFacts engine;

    PostureCheck(ContainerRecipe asked, InspectContainerResponse found, EngineFacts engine) {
        this.asked = asked;
        this.found = Objects.requireNonNullElseGet(found.getHostConfig(), HostConfig::new);
        this.mounts = Objects.requireNonNullElseGet(found.getMounts(), List::of);
        this.user =
                found.getConfig() == null
                        ? ""
                        : Objects.requireNonNullElse(found.getConfig().getUser(), "");
        this.engine = engine;
    }

    /**
     * @throws WorkloadException when the container is open where it was to be closed
     */
    Posture posture() {
        List<String> open = open();
        if (!open.isEmpty()) {
            throw new WorkloadException(
                    "The engine has not closed the container in as it was asked to: "
                            + String.join("; ", open));
        }
        ContainerLimits limits = asked.spec().isolation().limits();
        return new Posture(
                asked.image().name(),
                asked.image().id(),
                asked.image().repoDigests().isEmpty() ? "" : asked.image().repoDigests().getFirst(),
                user,
                asked.spec().isolation().network().mode().name().toLowerCase(Locale.ROOT),
                limits,
                relaxations(limits));
    }

    private List<String> open() {
        List<String> open = new ArrayList<>();
        add(open, Boolean.TRUE.equals(found.getPrivileged()), "it is privileged");
        add(open, !Boolean.TRUE.equals(found.getReadonlyRootfs()), "its root can be written to");
        add(
                open,
                !Arrays.asList(array(found.getCapDrop())).contains(Capability.ALL)
                        || array(found.getCapAdd()).length > 0,
                "it has capabilities");
        add(
                open,
                !Objects.requireNonNullElse(found.getSecurityOpts(), List.<String>of())
                        .contains(HardenedHost.NO_NEW_PRIVILEGES),
                "it may gain privileges");
        add(open, isHost(found.getPidMode()), "it sees the processes of the host");
        add(open, isHost(found.getIpcMode()), "it shares memory with the host");
        add(open, isHost(found.getNetworkMode()), "it uses the network of the host");
        add(open, !user.equals(asked.user().text()), "it runs as \"" + user + "\"");
        mounts.stream()
                .filter(mount -> mount.getName() == null)
                .filter(mount -> !isAskedFor(mount))
                .forEach(mount -> open.add("it sees \"" + mount.getSource() + "\" of the host"));
        asked.spec().mounts().stream()
                .filter(mount -> !isWhereItWas(mount.hostFolder()))
                .forEach(m -> open.add("\"" + m.hostFolder() + "\" has become another folder"));
        return open;
    }

    private boolean isAskedFor(InspectContainerResponse.Mount mount) {
        String target = mount.getDestination() == null ? "" : mount.getDestination().getPath();
        return asked.mounts().stream()
                .anyMatch(
                        wish ->
                                Objects.equals(wish.getSource(), mount.getSource())
                                        && Objects.equals(wish.getTarget(), target)
                                        && Boolean.TRUE.equals(wish.getReadOnly())
                                                != Boolean.TRUE.equals(mount.getRW()));
    }

    /** The engine has followed links that were put in place after ours were followed. */
    private static boolean isWhereItWas(Path folder) {
        try {
            return folder.toRealPath().equals(folder);
        } catch (IOException e) {
            return false;
        }
    }

    private List<String> relaxations(ContainerLimits limits) {
        List<String> relaxations = new ArrayList<>();
        add(relaxations, asked.user().isRoot(), "runs as root");
        add(
                relaxations,
                asked.spec().isolation().network().mode() == NetworkAccess.Mode.BRIDGE,
                "reaches the host and other containers");
        add(relaxations, !engine.seccomp(), "the engine filters no system calls");
        add(
                relaxations,
                !Objects.equals(found.getMemory(), limits.memoryBytes()),
                "the engine does not limit its memory");
        add(
                relaxations,
                !Objects.equals(found.getMemorySwap(), limits.memoryBytes()),
                "the engine does not keep it from swapping");
        add(
                relaxations,
                !Objects.equals(found.getNanoCPUs(), limits.nanoCpus()),
                "the engine does not limit its processors");
        add(
                relaxations,
                !Objects.equals(found.getPidsLimit(), limits.pids()),
                "the engine does not limit its processes");
        for (HostMount mount : asked.spec().mounts()) {
            relaxations.add(
                    "%s %s of the host, at %s"
                            .formatted(
                                    mount.readOnly() ? "reads" : "writes to",
                                    mount.hostFolder(),
                                    mount.mountPath()));
        }
        return relaxations;
    }

    private static void add(List<String> list, boolean condition, String text) {
        if (condition) {
            list.add(text);
        }
    }

    private static Capability[] array(Capability @Nullable [] capabilities) {
        return capabilities == null ? new Capability[0] : capabilities;
    }

    private static boolean isHost(@Nullable String mode) {
        return "host".equals(mode);
    }
}
