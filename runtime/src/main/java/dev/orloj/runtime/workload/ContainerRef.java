package dev.orloj.runtime.workload;

/**
 * A container that a program runs in.
 *
 * @param id what its engine calls it, 64 hexadecimal digits
 * @param name what people call it
 * @param image id of the image that it was made of, {@code sha256:...}
 */
public record ContainerRef(String id, String name, String image) {}
