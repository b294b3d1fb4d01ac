package dev.orloj.runtime.container.spec;

/** A container that is there, or is made ready, for programs to be run in. */
public sealed interface ExecTarget {

    /**
     * One that several servers share. It is started for the first of them and ends with the last.
     */
    record Shared(ContainerSpec container) implements ExecTarget {}

    /**
     * One that somebody else runs: it is never started and never stopped.
     *
     * @param container its name or id
     */
    record Borrowed(String container) implements ExecTarget {}
}
