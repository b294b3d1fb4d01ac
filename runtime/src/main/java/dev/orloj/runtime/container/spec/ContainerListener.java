package dev.orloj.runtime.container.spec;

/**
 * Hears what becomes of containers that are wanted. Called on threads of the runtime, several at a
 * time; an implementation returns at once.
 */
public interface ContainerListener {

    /** Nobody listens. */
    ContainerListener NONE = new ContainerListener() {};

    /**
     * The image comes from its registry; called when that begins and, now and then, as it goes on.
     *
     * @param progress for people: {@code "12 of 80 MB"}; empty at first
     */
    default void pulling(ContainerOwner owner, String image, String progress) {}

    /** The image has come. */
    default void pulled(ContainerOwner owner, String image) {}

    /** The image does not come. */
    default void notPulled(ContainerOwner owner, String image, String cause) {}

    /** A container runs, and this is how it is closed in. */
    default void started(ContainerOwner owner, Posture posture) {}
}
