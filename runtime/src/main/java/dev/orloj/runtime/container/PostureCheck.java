package dev.orloj.runtime.container;

import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HostConfig;

import dev.orloj.runtime.container.init.InitProcess;
import dev.orloj.runtime.container.spec.ContainerLimits;
import dev.orloj.runtime.container.spec.HostMount;
import dev.orloj.runtime.container.spec.NetworkAccess;
import dev.orloj.runtime.container.spec.Posture;
import dev.orloj.runtime.workload.WorkloadException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Compares the requested isolation with the isolation that the engine reports. A limit that the
 * engine does not apply, for example without rights over cgroups, is reported as a relaxation. If
 * the engine opens what has to be closed, the check fails and the container must not run.
 */
final class PostureCheck {

    /** The spellings of Docker and of Podman. */
    private static final Set<String> NO_NEW_PRIVILEGES =
            Set.of(HardenedHost.NO_NEW_PRIVILEGES, "no-new-privileges");

    private final ContainerRecipe asked;
    private final HostConfig found;
    private final List<InspectContainerResponse.Mount> mounts;
    private final String user;
    private final BooleanSupplier seenWithoutCapabilities;

    /**
     * @param seenWithoutCapabilities what the kernel reports about the container's first process;
     *     called when the report of the engine is not sufficient
     */
    PostureCheck(
            ContainerRecipe asked,
            InspectContainerResponse found,
            BooleanSupplier seenWithoutCapabilities) {
        this.asked = asked;
        this.found = Objects.requireNonNullElseGet(found.getHostConfig(), HostConfig::new);
        this.mounts = Objects.requireNonNullElseGet(found.getMounts(), List::of);
        this.user =
                found.getConfig() == null
                        ? ""
                        : Objects.requireNonNullElse(found.getConfig().getUser(), "");
        this.seenWithoutCapabilities = seenWithoutCapabilities;
    }

    /**
     * @throws WorkloadException when the container is less isolated than required
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
        add(open, hasCapabilities(), "it has capabilities, or is not known to have none");
        add(
                open,
                Objects.requireNonNullElse(found.getSecurityOpts(), List.<String>of()).stream()
                        .noneMatch(NO_NEW_PRIVILEGES::contains),
                "it may gain privileges");
        tmpfs().forEach(
                        (folder, options) ->
                                add(
                                        open,
                                        !isClosed(options),
                                        "what it writes to \"%s\" can be run or has no limit"
                                                .formatted(folder)));
        add(open, isShared(found.getPidMode()), "it sees processes that are not its own");
        add(open, isShared(found.getIpcMode()), "it shares memory with others");
        add(open, isShared(found.getCgroupnsMode()), "it sees the control groups of the host");
        add(open, isShared(found.getNetworkMode()), "it uses a network that is not its own");
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

    /**
     * Returns whether the container has capabilities. Docker repeats the request. Podman compares
     * the capabilities of the container with the defaults of its configuration and lists the
     * difference; without the configuration that is inconclusive, so the kernel has to confirm it.
     */
    private boolean hasCapabilities() {
        boolean none =
                Arrays.asList(array(found.getCapDrop())).contains(Capability.ALL)
                        || seenWithoutCapabilities.getAsBoolean();
        return !none || array(found.getCapAdd()).length > 0;
    }

    private Map<String, String> tmpfs() {
        return Objects.requireNonNullElse(found.getTmpFs(), Map.of());
    }

    private static boolean isClosed(String tmpfs) {
        List<String> options = List.of(tmpfs.split(","));
        return options.contains("noexec")
                && options.contains("nosuid")
                && options.stream().anyMatch(option -> option.startsWith("size="));
    }

    private boolean isAskedFor(InspectContainerResponse.Mount mount) {
        String target = mount.getDestination() == null ? "" : mount.getDestination().getPath();
        return asked.mounts().stream()
                .anyMatch(
                        requested ->
                                Objects.equals(requested.getSource(), mount.getSource())
                                        && Objects.equals(requested.getTarget(), target)
                                        && Boolean.TRUE.equals(requested.getReadOnly())
                                                != Boolean.TRUE.equals(mount.getRW()));
    }

    /**
     * Returns whether the folder is still the same: the engine follows links that may have been
     * created after orlojd resolved the path.
     */
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
        add(relaxations, !asked.engine().seccomp(), "the engine filters no system calls");
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
        add(
                relaxations,
                asked.init() instanceof InitProcess.None,
                "has no init process, since the engine finds none: install catatonit on its host");
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

    /**
     * Returns whether a namespace is shared with the host, with another container, or with the
     * owner of a namespace path.
     */
    private static boolean isShared(@Nullable String mode) {
        return mode != null
                && (mode.equals("host") || mode.startsWith("container:") || mode.startsWith("ns:"));
    }
}
