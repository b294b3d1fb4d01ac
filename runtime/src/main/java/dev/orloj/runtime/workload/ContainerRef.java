package dev.orloj.runtime.workload;

/**
 * A reference to the container that a program runs in.
 *
 * @param id the engine's id, 64 hexadecimal digits
 * @param name the readable name
 * @param image id of the image of the container, {@code sha256:...}
 */
public record ContainerRef(String id, String name, String image) {}
