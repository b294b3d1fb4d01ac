package dev.orloj.runtime.container.spec;

/**
 * Receives events of images and containers. Called concurrently on threads of the runtime; an
 * implementation must return at once.
 */
public interface ContainerListener {

    /** Ignores all events. */
    ContainerListener NONE = new ContainerListener() {};

    /**
     * Reports that the image is being pulled; called at the start of the pull and from time to time
     * after it.
     *
     * @param progress readable text: {@code "12 of 80 MB"}; empty at first
     */
    default void pulling(ContainerOwner owner, String image, String progress) {}

    /** Reports that the image was pulled. */
    default void pulled(ContainerOwner owner, String image) {}

    /** Reports that the image could not be pulled. */
    default void notPulled(ContainerOwner owner, String image, String cause) {}

    /**
     * Reports whether a node takes the Pod of a server.
     *
     * @param why why no node takes it; empty once one did
     */
    default void scheduled(ContainerOwner owner, String pod, String why) {}

    /** Reports that a container runs, and how it is isolated. */
    default void started(ContainerOwner owner, Posture posture) {}
}
