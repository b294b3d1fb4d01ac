package dev.orloj.runtime.container.spec;

/**
 * The configurable part of the isolation of a container from the host and from other containers.
 * The rest is the same for all containers: read-only root, no capabilities, no new privileges, the
 * seccomp profile of the engine, no namespace of the host.
 *
 * @param user {@code uid}, {@code uid:gid} or a name in the image; empty for the user of the image,
 *     or {@link #UNPRIVILEGED} when that user is root
 * @param runtime an OCI runtime of the engine, such as {@code runsc}; empty for the engine's
 *     default
 */
public record ContainerIsolation(
        ContainerLimits limits, String user, NetworkAccess network, String runtime) {

    /** The default user of a container whose image runs as root. */
    public static final String UNPRIVILEGED = "65532:65532";

    public static final ContainerIsolation DEFAULT =
            new ContainerIsolation(ContainerLimits.DEFAULT, "", NetworkAccess.ISOLATED, "");

    public ContainerIsolation withLimits(ContainerLimits replacement) {
        return new ContainerIsolation(replacement, user, network, runtime);
    }

    public ContainerIsolation withUser(String replacement) {
        return new ContainerIsolation(limits, replacement, network, runtime);
    }

    public ContainerIsolation withNetwork(NetworkAccess replacement) {
        return new ContainerIsolation(limits, user, replacement, runtime);
    }
}
