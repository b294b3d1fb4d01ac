package dev.orloj.runtime.container.spec;

/**
 * How a container is kept apart from the host and from others, as far as that can be chosen. The
 * rest is the same for all: read-only root, no capabilities, no new privileges, the seccomp profile
 * of the engine, no namespace of the host.
 *
 * @param user {@code uid}, {@code uid:gid} or a name in the image; empty for the user of the image,
 *     or {@link #UNPRIVILEGED} when that one is root
 * @param runtime OCI runtime that the engine knows, such as {@code runsc}; empty for its default
 */
public record ContainerIsolation(
        ContainerLimits limits, String user, NetworkAccess network, String runtime) {

    /** The user of a container that is not told otherwise. */
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

    public ContainerIsolation withRuntime(String replacement) {
        return new ContainerIsolation(limits, user, network, replacement);
    }
}
