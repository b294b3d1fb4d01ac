package dev.orloj.runtime.container.spec;

/** A container in which programs run. It exists already or is started for them. */
public sealed interface ExecTarget {

    /**
     * A container that several servers share. It is started for the first server and stopped after
     * the last.
     */
    sealed interface Managed extends ExecTarget {

        ContainerSpec container();
    }

    /** A container of Docker or Podman that several servers share. */
    record Shared(ContainerSpec container) implements Managed {}

    /** The Pod of a cluster that several servers share. */
    record SharedPod(ContainerSpec container) implements Managed {}

    /**
     * A container that orlojd does not manage: orlojd neither starts nor stops it.
     *
     * @param container name or id of the container
     */
    record Borrowed(String container) implements ExecTarget {}
}
